import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors, pathSegmentErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateSet } from '../resource/list-checks.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { validateGroup, validateName } from './pod-group-validation.ts';
import type { WorkloadSpec } from './workload-types.ts';

const maxTemplates = 8;

const specOf = ({ spec }: ResourceObject): WorkloadSpec => (spec as WorkloadSpec | undefined) ?? {};

function validate(object: ResourceObject): FieldError[] {
  const { podGroupTemplates } = specOf(object);
  const field = 'spec.podGroupTemplates';
  return [
    ...validateController(specOf(object)),
    ...(podGroupTemplates?.length ? [] : [requiredValue(field)]),
    ...validateSet(podGroupTemplates, field, {
      maximum: maxTemplates,
      check: (template, at) => [
        ...validateName(template.name ?? '', `${at}.name`, dnsLabelErrors),
        ...validateGroup(template, at),
      ],
      key: ({ name = '' }) => name,
    }),
  ];
}

function validateController({ controllerRef }: WorkloadSpec): FieldError[] {
  if (controllerRef === undefined) return [];
  const { apiGroup = '', kind = '', name = '' } = controllerRef;
  const field = 'spec.controllerRef';
  return [
    ...(apiGroup === '' ? [] : dnsSubdomainErrors(apiGroup)).map((detail) =>
      invalidValue(`${field}.apiGroup`, apiGroup, detail),
    ),
    ...validateName(kind, `${field}.kind`, pathSegmentErrors),
    ...validateName(name, `${field}.name`, pathSegmentErrors),
  ];
}

export const workloadRules: Partial<ResourceRules> = {
  validate,
  validateUpdate: (next, oldObject) =>
    (['controllerRef', 'podGroupTemplates'] as const).flatMap((field) =>
      validateImmutable({ next: specOf(next)[field], oldValue: specOf(oldObject)[field] }, `spec.${field}`),
    ),
};
