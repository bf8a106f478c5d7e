import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { dnsLabelErrors, dnsSubdomainErrors, type NameCheck } from '../../meta/names.ts';
import { validateEach, validateSet } from '../resource/list-checks.ts';
import type { PodGroupResourceClaim, PodGroupTemplate } from './pod-group-types.ts';
import { disruptionModes } from './pod-group-types.ts';

export const maxClaims = 4;
const maxTopologies = 1;
const maxPriority = 1_000_000_000;

export function validateGroup(group: PodGroupTemplate, field: string): FieldError[] {
  const { schedulingConstraints, resourceClaims, disruptionMode: mode, priorityClassName = '', priority } = group;
  const errors = [
    ...validatePolicy(group.schedulingPolicy ?? {}, `${field}.schedulingPolicy`),
    ...validateEach(schedulingConstraints?.topology, `${field}.schedulingConstraints.topology`, {
      maximum: maxTopologies,
      check: ({ key = '' }, at) => validateName(key, `${at}.key`, labelKeyErrors),
    }),
    ...validateSet(resourceClaims, `${field}.resourceClaims`, {
      maximum: maxClaims,
      check: validateClaim,
      key: ({ name = '' }) => name,
    }),
  ];
  if (mode !== undefined && !disruptionModes.includes(mode)) {
    errors.push(notSupportedValue(`${field}.disruptionMode`, mode, disruptionModes));
  }
  if (priorityClassName !== '') {
    errors.push(...validateName(priorityClassName, `${field}.priorityClassName`, dnsSubdomainErrors));
  }
  if (priority !== undefined && priority > maxPriority) {
    errors.push(invalidValue(`${field}.priority`, priority, `must be less than or equal to ${maxPriority}`));
  }
  return errors;
}

function validatePolicy(
  { basic, gang }: NonNullable<PodGroupTemplate['schedulingPolicy']>,
  field: string,
): FieldError[] {
  const errors = validateOneOf({ basic, gang }, field);
  const { minCount = 0 } = gang ?? {};
  if (gang === undefined || minCount > 0) return errors;
  const at = `${field}.gang.minCount`;
  errors.push(minCount === 0 ? requiredValue(at) : invalidValue(at, minCount, 'must be greater than or equal to 1'));
  return errors;
}

function validateClaim(claim: PodGroupResourceClaim, field: string): FieldError[] {
  const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
  const errors = [
    ...validateOneOf({ resourceClaimName, resourceClaimTemplateName }, field),
    ...validateName(name, `${field}.name`, dnsLabelErrors),
  ];
  for (const [reference, value] of Object.entries({ resourceClaimName, resourceClaimTemplateName })) {
    if (value === undefined) continue;
    for (const detail of dnsSubdomainErrors(value)) errors.push(invalidValue(`${field}.${reference}`, value, detail));
  }
  return errors;
}

/** Requires that exactly one of the fields has a value. */
export function validateOneOf(members: Readonly<Record<string, unknown>>, field: string): FieldError[] {
  const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const names = Object.keys(members);
  const given = names.filter((name) => members[name] !== undefined && members[name] !== null);
  if (given.length === 1) return [];
  if (given.length === 0) return [invalidValue(field, '', `must specify one of: ${quoted(names)}`)];
  return [invalidValue(field, `{${given.join(', ')}}`, `must specify exactly one of: ${quoted(names)}`)];
}

/** Validates a required name. */
export function validateName(name: string, field: string, check: NameCheck): FieldError[] {
  if (name === '') return [requiredValue(field)];
  return check(name).map((detail) => invalidValue(field, name, detail));
}
