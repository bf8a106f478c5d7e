import { duplicateValue, invalidValue } from '../../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../../meta/names.ts';
import { internalValue } from '../../validation/internal-value.ts';
import { PodResourceClaim } from '../pod-types.ts';
import { checkPresent, checkSubdomain, type Errors } from './field-checks.ts';

/** Returns the claim names that containers may refer to. */
export function validatePodClaims(
  claims: readonly PodResourceClaim[],
  field: string,
  { podName, errors }: { readonly podName: string | undefined; readonly errors: Errors },
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const path = `${field}[${index}]`;
    if (checkPresent(claim.name, `${path}.name`, errors)) {
      if (names.has(claim.name)) errors.push(duplicateValue(`${path}.name`, claim.name));
      else validateClaimName(claim, `${path}.name`, { podName, errors });
      names.add(claim.name);
    }
    validateClaimSource(claim, path, errors);
  }
  return names;
}

interface ClaimContext {
  readonly podName: string | undefined;
  readonly errors: Errors;
}

/** The name of a claim that is created from a template consists of the pod name and this name. */
function validateClaimName(claim: PodResourceClaim, field: string, { podName, errors }: ClaimContext): void {
  const { name = '', resourceClaimTemplateName } = claim;
  const details = dnsLabelErrors(name);
  for (const detail of details) errors.push(invalidValue(field, name, detail));
  if (details.length > 0 || podName === undefined || resourceClaimTemplateName === undefined) return;
  const claimName = `${podName}-${name}`;
  for (const detail of dnsSubdomainErrors(claimName)) {
    errors.push(invalidValue(field, claimName, `final ResourceClaim name: ${detail}`));
  }
}

function validateClaimSource(claim: PodResourceClaim, field: string, errors: Errors): void {
  const { resourceClaimName, resourceClaimTemplateName } = claim;
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    errors.push(invalidValue(field, internalValue(PodResourceClaim, claim), detail));
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    errors.push(invalidValue(field, internalValue(PodResourceClaim, claim), detail));
  }
  if (resourceClaimName !== undefined) checkSubdomain(resourceClaimName, `${field}.resourceClaimName`, errors);
  if (resourceClaimTemplateName !== undefined) {
    checkSubdomain(resourceClaimTemplateName, `${field}.resourceClaimTemplateName`, errors);
  }
}
