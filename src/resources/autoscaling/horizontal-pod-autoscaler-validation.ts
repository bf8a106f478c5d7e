import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { validateNonnegativeQuantity } from '../validation/quantities.ts';
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricSpec,
} from './horizontal-pod-autoscaler-v2-types.ts';
import { validateMetric } from './metric-validation.ts';
import { validateReference } from './reference-validation.ts';

const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;
const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** Validates a v2 object. Some values that were valid when the old object was written may stay. */
export function validateAutoscaler({ spec }: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const {
    scaleTargetRef,
    minReplicas,
    maxReplicas,
    metrics = [],
    behavior,
  } = (spec ?? {}) as HorizontalPodAutoscalerSpec;
  const previous = oldObject?.spec as HorizontalPodAutoscalerSpec | undefined;
  return [
    ...replicaErrors(minReplicas, maxReplicas ?? 0, { allowZero: previous?.minReplicas === 0 }),
    ...validateReference(scaleTargetRef, 'spec.scaleTargetRef', {
      // The only kind of the core group that can be scaled.
      anyGroup: scaleTargetRef?.kind === 'ReplicationController',
      anyVersion: isSameKind(scaleTargetRef, previous?.scaleTargetRef),
    }),
    ...metricsErrors(metrics, minReplicas),
    ...rulesErrors(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...rulesErrors(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** An unchanged kind and version is accepted, because it may have been stored before versions were validated. */
function isSameKind(
  next: CrossVersionObjectReference | undefined,
  previous: CrossVersionObjectReference | undefined,
): boolean {
  return previous !== undefined && next?.kind === previous.kind && next?.apiVersion === previous.apiVersion;
}

export function validateAutoscalerStatus({ status }: ResourceObject): FieldError[] {
  const { currentReplicas, desiredReplicas } = (status ?? {}) as HorizontalPodAutoscalerStatus;
  return [
    ...validateNonNegative(currentReplicas, 'status.currentReplicas'),
    ...validateNonNegative(desiredReplicas, 'status.desiredReplicas'),
  ];
}

function replicaErrors(
  minReplicas: number | undefined,
  maxReplicas: number,
  { allowZero }: { allowZero: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const lowerBound = allowZero ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < lowerBound) {
    errors.push(invalidValue('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowerBound}`));
  }
  if (maxReplicas === 0) errors.push(requiredValue('spec.maxReplicas', 'must be set and greater than 0'));
  else if (maxReplicas < 0)
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  return errors;
}

function metricsErrors(metrics: readonly MetricSpec[], minReplicas: number | undefined): FieldError[] {
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`));
  // Metrics about pods have no value while there are no pods.
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenValue('spec.metrics', detail));
  }
  return errors;
}

function rulesErrors(rules: HPAScalingRules | undefined, path: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowField = `${path}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalidValue(windowField, window, 'must be greater than or equal to zero'));
  if (window > maxWindowSeconds) {
    errors.push(invalidValue(windowField, window, `must be less than or equal to ${maxWindowSeconds}`));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupportedValue(`${path}.selectPolicy`, selectPolicy, selectPolicies));
  }
  if (policies.length === 0) errors.push(requiredValue(`${path}.policies`, 'must specify at least one Policy'));
  errors.push(...policies.flatMap((policy, index) => policyErrors(policy, `${path}.policies[${index}]`)));
  if (tolerance !== undefined) errors.push(...validateNonnegativeQuantity(tolerance, `${path}.tolerance`));
  return errors;
}

function policyErrors({ type = '', value = 0, periodSeconds = 0 }: HPAScalingPolicy, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!policyTypes.includes(type)) errors.push(notSupportedValue(`${path}.type`, type, policyTypes));
  if (value <= 0) errors.push(invalidValue(`${path}.value`, value, 'must be greater than zero'));
  if (periodSeconds <= 0)
    errors.push(invalidValue(`${path}.periodSeconds`, periodSeconds, 'must be greater than zero'));
  if (periodSeconds > maxPeriodSeconds) {
    const detail = `must be less than or equal to ${maxPeriodSeconds}`;
    errors.push(invalidValue(`${path}.periodSeconds`, periodSeconds, detail));
  }
  return errors;
}
