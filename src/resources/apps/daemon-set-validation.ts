import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validatePodTemplate } from '../core/pod/pod-template-validation.ts';
import { internalValue } from '../validation/internal-value.ts';
import { isEmptySelector, validateLabelSelector } from '../validation/label-selectors.ts';
import {
  intOrPercentAmount,
  validateIntOrPercent,
  validateMaxPercent,
  validateNonNegative,
} from '../validation/numbers.ts';
import { validateRestarting, validateSelected } from './controlled-template.ts';
import type { DaemonSetSpec } from './daemon-set-types.ts';
import { DaemonSetUpdateStrategy } from './daemon-set-types.ts';
import type { RollingUpdateDeployment } from './deployment-types.ts';
import type { WorkloadStatus } from './workload.ts';
import { emptySelector, validateSameSelector } from './workload-selector.ts';
import { validateCollisionCount, validateCounters } from './workload-status.ts';

const specOf = ({ spec }: ResourceObject) => (spec ?? {}) as DaemonSetSpec;

export function validateDaemonSet(daemonSet: ResourceObject): FieldError[] {
  const spec = specOf(daemonSet);
  const template = spec.template ?? {};
  return [
    ...validateDaemonSetSelector(spec),
    ...validatePodTemplate(template, 'spec.template'),
    ...validateRestarting(template, 'spec.template', 'DaemonSet'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

/** A missing selector is reported as one that does not match the labels, not as a required field. */
function validateDaemonSetSelector({ selector, template = {} }: DaemonSetSpec): FieldError[] {
  if (!selector) return validateSelected(template, 'spec.template', undefined);
  const errors = validateLabelSelector(selector, 'spec.selector');
  if (errors.length === 0) errors.push(...validateSelected(template, 'spec.template', selector));
  if (isEmptySelector(selector)) errors.push(emptySelector(selector, 'spec.selector', 'daemonset'));
  return errors;
}

function validateStrategy(strategy: NonNullable<DaemonSetSpec['updateStrategy']>, path: string): FieldError[] {
  switch (strategy.type) {
    case 'OnDelete':
      return [];
    case 'RollingUpdate':
      return validateRollingUpdate(strategy.rollingUpdate ?? {}, `${path}.rollingUpdate`);
    default:
      return [
        notSupportedValue(
          path,
          internalValue(DaemonSetUpdateStrategy, strategy),
          enumOf(DaemonSetUpdateStrategy, 'type'),
        ),
      ];
  }
}

/** A node's pod is replaced either after the old pod is gone (`maxUnavailable`) or before (`maxSurge`). */
function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: string,
): FieldError[] {
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...validateMaxPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateMaxPercent(maxSurge, `${path}.maxSurge`),
  ];
  const hasUnavailable = intOrPercentAmount(maxUnavailable) !== 0;
  const hasSurge = intOrPercentAmount(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    errors.push(invalidValue(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(requiredValue(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}

export function validateDaemonSetUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const selectorOf = (object: ResourceObject) => specOf(object).selector ?? undefined;
  return [
    ...validateSameSelector(selectorOf(next), selectorOf(oldObject), 'spec.selector'),
    ...validateDaemonSet(next),
  ];
}

const counters = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

export function validateDaemonSetStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const status = (next.status ?? {}) as WorkloadStatus;
  return [
    ...validateCounters(status, counters),
    ...validateCollisionCount(status, (oldObject.status ?? {}) as WorkloadStatus),
  ];
}
