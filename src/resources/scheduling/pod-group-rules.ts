import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateSet } from '../resource/list-checks.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { validateImmutable } from '../validation/immutable.ts';
import type { PodGroupSpec, PodGroupStatus } from './pod-group-types.ts';
import { maxClaims, validateGroup, validateName, validateOneOf } from './pod-group-validation.ts';

const specOf = ({ spec }: ResourceObject): PodGroupSpec => (spec as PodGroupSpec | undefined) ?? {};

function validate(object: ResourceObject): FieldError[] {
  const spec = specOf(object);
  return [...validateTemplateReference(spec), ...validateGroup(spec, 'spec')];
}

function validateTemplateReference({ podGroupTemplateRef: reference }: PodGroupSpec): FieldError[] {
  if (!reference) return [];
  const { workload } = reference;
  const field = 'spec.podGroupTemplateRef';
  const errors = validateOneOf({ workload }, field);
  if (!workload) return errors;
  const { workloadName = '', podGroupTemplateName = '' } = workload;
  return [
    ...errors,
    ...validateName(workloadName, `${field}.workload.workloadName`, dnsSubdomainErrors),
    ...validateName(podGroupTemplateName, `${field}.workload.podGroupTemplateName`, dnsLabelErrors),
  ];
}

/** The spec fields in the order of validation. All of them are immutable. */
const fixed = [
  'podGroupTemplateRef',
  'schedulingPolicy',
  'schedulingConstraints',
  'resourceClaims',
  'disruptionMode',
  'priorityClassName',
  'priority',
] as const;

function validateStatus(next: ResourceObject): FieldError[] {
  const { conditions, resourceClaimStatuses } = (next.status as PodGroupStatus | undefined) ?? {};
  const claims = new Set((specOf(next).resourceClaims ?? []).map(({ name = '' }) => name));
  return [
    ...validateConditions(conditions, 'status.conditions'),
    ...validateSet(resourceClaimStatuses, 'status.resourceClaimStatuses', {
      maximum: maxClaims,
      check({ name = '', resourceClaimName }, field) {
        const errors: FieldError[] = [];
        if (!claims.has(name)) {
          errors.push(invalidValue(`${field}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'));
        }
        for (const detail of resourceClaimName === undefined ? [] : dnsSubdomainErrors(resourceClaimName)) {
          errors.push(invalidValue(`${field}.resourceClaimName`, resourceClaimName, detail));
        }
        return errors;
      },
      key: ({ name = '' }) => name,
    }),
  ];
}

export const podGroupRules: Partial<ResourceRules> = {
  validate,
  validateUpdate: (next, oldObject) =>
    fixed.flatMap((field) =>
      validateImmutable({ next: specOf(next)[field], oldValue: specOf(oldObject)[field] }, `spec.${field}`),
    ),
  validateStatus,
  prepareStatusUpdate: keepStoredMetadata,
};
