import { type Clock, timestamp } from '../meta/clock.ts';
import type { ResourceObject } from '../meta/object.ts';
import type {
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus,
} from '../resources/apiextensions/custom-resource-definition-types.ts';
import { statusOf } from '../resources/apiextensions/definition-parts.ts';

/**
 * Returns the status with these conditions. The time of a condition changes only when its status does. Returns the status
 * itself when it has all of them.
 */
export function withConditions(
  object: ResourceObject,
  conditions: readonly CustomResourceDefinitionCondition[],
  clock: Clock,
): CustomResourceDefinitionStatus & Record<string, unknown> {
  const status = statusOf(object) as CustomResourceDefinitionStatus & Record<string, unknown>;
  const result = [...(status.conditions ?? [])];
  let isChanged = false;
  for (const condition of conditions) {
    const index = result.findIndex(({ type }) => type === condition.type);
    const old = result[index];
    const { type, status: state, reason, message } = condition;
    const isSame = old !== undefined && old.status === state;
    if (isSame && old.reason === reason && old.message === message) continue;
    isChanged = true;
    const lastTransitionTime = isSame ? old.lastTransitionTime : timestamp(clock);
    const next = { type, status: state, lastTransitionTime, reason, message };
    if (index < 0) result.push(next);
    else result[index] = { ...old, ...next };
  }
  return isChanged ? { ...status, conditions: result } : status;
}

export function isConditionTrue(object: ResourceObject, type: string): boolean {
  return !!statusOf(object).conditions?.some((condition) => condition.type === type && condition.status === 'True');
}
