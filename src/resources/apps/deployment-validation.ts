import { type FieldError, forbiddenValue, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { internalValue } from '../validation/internal-value.ts';
import {
  intOrPercentAmount,
  validateIntOrPercent,
  validateMaxPercent,
  validateNonNegative,
} from '../validation/numbers.ts';
import { validateControlledTemplate } from './controlled-template.ts';
import { rollbackAnnotation } from './deployment-defaults.ts';
import type { DeploymentSpec, RollingUpdateDeployment } from './deployment-types.ts';
import { DeploymentStrategy } from './deployment-types.ts';
import { integerAnnotation } from './integer-annotation.ts';
import type { WorkloadStatus } from './workload.ts';
import { checkSelector, validateSameSelector } from './workload-selector.ts';
import { validateCollisionCount, validateCounters, validateReplicaSubsets } from './workload-status.ts';

export function validateDeployment(deployment: ResourceObject): FieldError[] {
  const spec = (deployment.spec ?? {}) as DeploymentSpec;
  const selector = spec.selector ?? undefined;
  const selectorCheck = checkSelector(selector, 'spec.selector', 'deployment');
  return [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...selectorCheck.errors,
    ...(selectorCheck.isUsable
      ? validateControlledTemplate(spec.template ?? {}, 'spec.template', { selector, kind: 'ReplicaSet' })
      : [invalidValue('spec.selector', selector, 'invalid label selector')]),
    ...validateStrategy(spec.strategy ?? {}, 'spec.strategy'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...validateNonNegative(integerAnnotation(deployment, rollbackAnnotation), 'spec.rollback.version'),
    ...validateProgressDeadline(spec),
  ];
}

function validateStrategy(strategy: NonNullable<DeploymentSpec['strategy']>, path: string): FieldError[] {
  switch (strategy.type) {
    case 'Recreate':
      if (strategy.rollingUpdate === undefined) return [];
      return [forbiddenValue(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return validateRollingUpdate(strategy.rollingUpdate ?? {}, `${path}.rollingUpdate`);
    default:
      return [notSupportedValue(path, internalValue(DeploymentStrategy, strategy), enumOf(DeploymentStrategy, 'type'))];
  }
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: string,
): FieldError[] {
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  if (intOrPercentAmount(maxUnavailable) === 0 && intOrPercentAmount(maxSurge) === 0) {
    errors.push(invalidValue(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  errors.push(...validateMaxPercent(maxUnavailable, `${path}.maxUnavailable`));
  return errors;
}

function validateProgressDeadline({ progressDeadlineSeconds, minReadySeconds = 0 }: DeploymentSpec): FieldError[] {
  if (progressDeadlineSeconds === undefined) return [];
  const path = 'spec.progressDeadlineSeconds';
  const errors = validateNonNegative(progressDeadlineSeconds, path);
  if (progressDeadlineSeconds <= minReadySeconds) {
    errors.push(invalidValue(path, progressDeadlineSeconds, 'must be greater than minReadySeconds'));
  }
  return errors;
}

export function validateDeploymentUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const selectorOf = ({ spec }: ResourceObject) => (spec as DeploymentSpec | undefined)?.selector ?? undefined;
  return [
    ...validateDeployment(next),
    ...validateSameSelector(selectorOf(next), selectorOf(oldObject), 'spec.selector'),
  ];
}

const counters = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];
const replicaSubsets = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];

export function validateDeploymentStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const status = (next.status ?? {}) as WorkloadStatus;
  return [
    ...validateCounters(status, counters),
    ...validateReplicaSubsets(status, { subsets: replicaSubsets, ready: 'readyReplicas' }),
    ...validateCollisionCount(status, (oldObject.status ?? {}) as WorkloadStatus),
  ];
}
