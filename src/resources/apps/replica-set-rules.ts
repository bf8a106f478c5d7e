import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { setPodTemplateDefaults } from '../core/pod/pod-spec-defaults.ts';
import { dropUnservedIn } from '../core/pod/unserved-references.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { validateControlledTemplate } from './controlled-template.ts';
import { namedTemplateWarnings } from './template-warnings.ts';
import type { WorkloadSpec, WorkloadStatus } from './workload.ts';
import { checkSelector, validateSameSelector } from './workload-selector.ts';
import { validateCounters, validateReplicaSubsets } from './workload-status.ts';

export const replicaSetRules: Partial<ResourceRules> = {
  generation: true,
  dropUnserved: dropUnservedIn('spec', 'template', 'spec'),
  setDefaults: setReplicaSetDefaults,
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  validateStatus: validateReplicaSetStatus,
  warnings: namedTemplateWarnings,
};

const specOf = ({ spec }: ResourceObject) => (spec ?? {}) as WorkloadSpec;

function setReplicaSetDefaults(replicaSet: ResourceObject): void {
  const spec = specOf(replicaSet);
  setPodTemplateDefaults(spec.template);
  spec.replicas ??= 1;
}

function validateReplicaSet(replicaSet: ResourceObject): FieldError[] {
  const spec = specOf(replicaSet);
  const selector = spec.selector ?? undefined;
  const selectorCheck = checkSelector(selector, 'spec.selector', 'deployment');
  return [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...selectorCheck.errors,
    ...(selectorCheck.isUsable
      ? validateControlledTemplate(spec.template ?? {}, 'spec.template', { selector, kind: 'ReplicaSet' })
      : [invalidValue('spec.selector', selector, 'invalid label selector')]),
  ];
}

function validateReplicaSetUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const selectorOf = (object: ResourceObject) => specOf(object).selector ?? undefined;
  return [
    ...validateReplicaSet(next),
    ...validateSameSelector(selectorOf(next), selectorOf(oldObject), 'spec.selector'),
  ];
}

const counters = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'terminatingReplicas',
  'observedGeneration',
];
const replicaSubsets = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

/** Also used for replication controllers. */
export function validateReplicaSetStatus(next: ResourceObject): FieldError[] {
  const status = (next.status ?? {}) as WorkloadStatus;
  return [
    ...validateCounters(status, counters),
    ...validateReplicaSubsets(status, { subsets: replicaSubsets, ready: 'readyReplicas' }),
  ];
}
