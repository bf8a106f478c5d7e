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
  AutoscalerSpec,
  AutoscalerStatus,
  CrossVersionReference,
  Metric,
  ScalingPolicy,
  ScalingRules,
} from './autoscaler-shapes.ts';
import { validateMetric } from './metric-validation.ts';
import { validateReference } from './reference-validation.ts';

const longestWindow = 3600;
const longestPeriod = 1800;
const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** Of objects in the form of v2. What was wrong with the stored object may stay so where it once was allowed. */
export function validateAutoscaler({ spec }: ResourceObject, stored?: ResourceObject): FieldError[] {
  const { scaleTargetRef, minReplicas, maxReplicas, metrics = [], behavior } = (spec ?? {}) as AutoscalerSpec;
  const previous = stored?.spec as AutoscalerSpec | undefined;
  return [
    ...replicaErrors(minReplicas, maxReplicas ?? 0, previous?.minReplicas === 0),
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

/** A target of the same kind and version as before may have been stored before versions were checked. */
function isSameKind(next: CrossVersionReference | undefined, previous: CrossVersionReference | undefined): boolean {
  return previous !== undefined && next?.kind === previous.kind && next?.apiVersion === previous.apiVersion;
}

export function validateAutoscalerStatus({ status }: ResourceObject): FieldError[] {
  const { currentReplicas, desiredReplicas } = (status ?? {}) as AutoscalerStatus;
  return [
    ...validateNonNegative(currentReplicas, 'status.currentReplicas'),
    ...validateNonNegative(desiredReplicas, 'status.desiredReplicas'),
  ];
}

function replicaErrors(minimum: number | undefined, maximum: number, mayBeZero: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const least = mayBeZero ? 0 : 1;
  if (minimum !== undefined && minimum < least) {
    errors.push(invalidValue('spec.minReplicas', minimum, `must be greater than or equal to ${least}`));
  }
  if (maximum === 0) errors.push(requiredValue('spec.maxReplicas', 'must be set and greater than 0'));
  else if (maximum < 0) errors.push(invalidValue('spec.maxReplicas', maximum, 'must be greater than or equal to 1'));
  if (minimum !== undefined && maximum < minimum) {
    errors.push(invalidValue('spec.maxReplicas', maximum, 'must be greater than or equal to `minReplicas`'));
  }
  return errors;
}

function metricsErrors(metrics: readonly Metric[], minReplicas: number | undefined): FieldError[] {
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`));
  // Without pods only metrics that are not about pods go on to say something.
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenValue('spec.metrics', detail));
  }
  return errors;
}

function rulesErrors(rules: ScalingRules | undefined, path: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowField = `${path}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalidValue(windowField, window, 'must be greater than or equal to zero'));
  if (window > longestWindow) {
    errors.push(invalidValue(windowField, window, `must be less than or equal to ${longestWindow}`));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupportedValue(`${path}.selectPolicy`, selectPolicy, selectPolicies));
  }
  if (policies.length === 0) errors.push(requiredValue(`${path}.policies`, 'must specify at least one Policy'));
  errors.push(...policies.flatMap((policy, index) => policyErrors(policy, `${path}.policies[${index}]`)));
  if (tolerance !== undefined) errors.push(...validateNonnegativeQuantity(tolerance, `${path}.tolerance`));
  return errors;
}

function policyErrors({ type = '', value = 0, periodSeconds = 0 }: ScalingPolicy, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!policyTypes.includes(type)) errors.push(notSupportedValue(`${path}.type`, type, policyTypes));
  if (value <= 0) errors.push(invalidValue(`${path}.value`, value, 'must be greater than zero'));
  if (periodSeconds <= 0)
    errors.push(invalidValue(`${path}.periodSeconds`, periodSeconds, 'must be greater than zero'));
  if (periodSeconds > longestPeriod) {
    const detail = `must be less than or equal to ${longestPeriod}`;
    errors.push(invalidValue(`${path}.periodSeconds`, periodSeconds, detail));
  }
  return errors;
}
