import { type FieldError, forbiddenValue, invalidValue, notSupportedValue } from '../../../meta/field-error.ts';
import { isExplicitEmpty } from '../../../schema/explicit-empty.ts';
import { compareQuantityTexts } from '../../validation/quantities.ts';
import { isHugePagesResource, validateResourceName } from '../../validation/resource-names.ts';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceRequirements } from '../resource-requirement-types.ts';
import type { Errors } from './field-checks.ts';
import { aggregateResources, isPodLevelResource } from './pod-level-resources.ts';
import { validateResources } from './resource-validation.ts';

const supportedResources = ['cpu', 'hugepages-', 'memory'];

/** Validates pod-level resources, and that the resources of the containers fit into them. */
export function validatePodResources(
  spec: PodSpec,
  field: string,
  { claims, errors }: { readonly claims: ReadonlySet<string>; readonly errors: Errors },
): void {
  const { resources } = spec;
  if (resources === undefined) return;
  if (spec.os?.name === 'windows') {
    errors.push(forbiddenValue(field, 'may not be set for a windows pod'));
    return;
  }
  if (resources.claims !== undefined || isExplicitEmpty(resources, 'claims')) {
    errors.push(forbiddenValue(`${field}.claims`, 'claims may not be set for Resources at pod-level'));
  }
  validateResources(resources, field, { claims, errors, validateName: validatePodResourceName });
  validateSums(spec, resources, { field, errors });
}

function validatePodResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupportedValue(field, name, supportedResources)];
}

function validateSums(
  spec: PodSpec,
  { limits = {}, requests = {} }: ResourceRequirements,
  { field, errors }: { readonly field: string; readonly errors: Errors },
): void {
  const check = (kind: 'limits' | 'requests', name: string, sum: string) => {
    const own = (kind === 'limits' ? limits : requests)[name];
    if (own === undefined || compareQuantityTexts(sum, own) <= 0) return;
    const detail = `must be greater than or equal to aggregate container ${kind} of ${sum}`;
    errors.push(invalidValue(`${field}.${kind}[${name}]`, own, detail));
  };
  const requested = aggregateResources(spec, 'requests');
  for (const name of Object.keys(requested).sort()) check('requests', name, requested[name]!);
  const limited = aggregateResources(spec, 'limits');
  for (const name of Object.keys(limited).sort()) if (isHugePagesResource(name)) check('limits', name, limited[name]!);
  for (const [index, container] of (spec.containers ?? []).entries()) {
    const own = container.resources?.limits;
    for (const name in own) {
      const limit = limits[name];
      if (limit === undefined || compareQuantityTexts(own[name]!, limit) <= 0) continue;
      const path = `${field}.containers[${index}][${name}].limits`;
      errors.push(invalidValue(path, own[name], `must be less than or equal to pod limits of ${limit}`));
    }
  }
}
