import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateAnnotations, validateLabels } from '../../meta/validate-labels.ts';
import { validatePodAnnotations } from '../core/pod/pod-annotation-validation.ts';
import { validatePodTemplate } from '../core/pod/pod-template-validation.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { isSameOfType } from '../validation/same-of-type.ts';
import { validateRestarting, validateSelected } from './controlled-template.ts';
import { RollingUpdateStatefulSetStrategy, StatefulSetSpec, StatefulSetUpdateStrategy } from './stateful-set-types.ts';
import { templateWithClaims, validateClaimTemplates } from './volume-claim-templates.ts';
import type { WorkloadStatus } from './workload.ts';
import { checkSelector } from './workload-selector.ts';
import { validateCollisionCount, validateCounters, validateReplicaSubsets } from './workload-status.ts';

const specOf = ({ spec }: ResourceObject) => (spec ?? {}) as StatefulSetSpec;

export function validateStatefulSet(statefulSet: ResourceObject): FieldError[] {
  return validateSpec(specOf(statefulSet), { isNew: true });
}

/** Immutable fields are validated only on create. */
function validateSpec(spec: StatefulSetSpec, { isNew }: { isNew: boolean }): FieldError[] {
  const selector = spec.selector ?? undefined;
  const selectorCheck = checkSelector(selector, 'spec.selector', 'statefulset');
  return [
    ...validatePodManagementPolicy(spec.podManagementPolicy),
    ...validateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...validateRetentionPolicy(spec.persistentVolumeClaimRetentionPolicy, 'spec.persistentVolumeClaimRetentionPolicy'),
    ...(isNew ? validateClaimTemplates(spec.volumeClaimTemplates ?? [], 'spec.volumeClaimTemplates') : []),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...(isNew ? validateServiceName(spec.serviceName) : []),
    ...selectorCheck.errors,
    ...(selectorCheck.isUsable ? validateTemplate(spec) : [invalidValue('spec.selector', selector, '')]),
    ...validateRestarting(spec.template ?? {}, 'spec.template', 'StatefulSet'),
  ];
}

function validatePodManagementPolicy(policy: string | undefined): FieldError[] {
  const path = 'spec.podManagementPolicy';
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [policy ? invalidValue(path, policy, "must be 'OrderedReady' or 'Parallel'") : requiredValue(path)];
}

function validateStrategy(strategy: NonNullable<StatefulSetSpec['updateStrategy']>, path: string): FieldError[] {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case undefined:
      return [requiredValue(path)];
    case 'OnDelete':
      if (rollingUpdate === undefined) return [];
      return [
        invalidValue(
          `${path}.rollingUpdate`,
          internalValue(RollingUpdateStatefulSetStrategy, rollingUpdate),
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      ];
    case 'RollingUpdate':
      return validateNonNegative(rollingUpdate?.partition, `${path}.rollingUpdate.partition`);
    default:
      return [
        invalidValue(path, internalValue(StatefulSetUpdateStrategy, strategy), "must be 'RollingUpdate' or 'OnDelete'"),
      ];
  }
}

const retentionPolicies = ['Retain', 'Delete'];

function validateRetentionPolicy(
  policy: StatefulSetSpec['persistentVolumeClaimRetentionPolicy'],
  path: string,
): FieldError[] {
  if (policy === undefined) return [];
  const errors: FieldError[] = [];
  for (const moment of ['whenDeleted', 'whenScaled'] as const) {
    const value = policy[moment] ?? '';
    if (!retentionPolicies.includes(value))
      errors.push(notSupportedValue(`${path}.${moment}`, value, retentionPolicies));
  }
  return errors;
}

/** The service name becomes the subdomain of the pods. */
function validateServiceName(name: string | undefined): FieldError[] {
  return name ? dnsLabelErrors(name).map((detail) => invalidValue('spec.serviceName', name, detail)) : [];
}

/** kube-apiserver validates the labels and annotations twice, under two field paths. */
function validateTemplate(spec: StatefulSetSpec): FieldError[] {
  const { template = {} } = spec;
  const { labels, annotations } = template.metadata ?? {};
  const errors = [
    ...validateSelected(template, 'spec.template', spec.selector ?? undefined),
    ...validatePodTemplate(templateWithClaims(template, spec.volumeClaimTemplates ?? []), 'spec.template'),
    ...validateLabels(labels, 'spec.template.labels'),
    ...validateAnnotations(annotations, 'spec.template.annotations'),
  ];
  if (annotations !== undefined) {
    validatePodAnnotations(annotations, 'spec.template.annotations', { spec: template.spec ?? {}, errors });
  }
  return errors;
}

const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;
const mutableFieldsText = `${mutableFields
  .slice(0, -1)
  .map((field) => `'${field}'`)
  .join(', ')} and '${mutableFields.at(-1)}'`;

export function validateStatefulSetUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const errors = validateSpec(specOf(next), { isNew: false });
  if (!isSameOfType(StatefulSetSpec, immutableFields(next), immutableFields(oldObject))) {
    const detail = `updates to statefulset spec for fields other than ${mutableFieldsText} are forbidden`;
    errors.push(forbiddenValue('spec', detail));
  }
  return errors;
}

function immutableFields(statefulSet: ResourceObject): object {
  const fields = { ...specOf(statefulSet) };
  for (const field of mutableFields) delete fields[field];
  return fields;
}

const counters = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];
const replicaSubsets = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

export function validateStatefulSetStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const status = (next.status ?? {}) as WorkloadStatus;
  return [
    ...validateCounters(status, counters),
    ...validateReplicaSubsets(status, { subsets: replicaSubsets, ready: 'status.readyReplicas' }),
    ...validateCollisionCount(status, (oldObject.status ?? {}) as WorkloadStatus),
  ];
}
