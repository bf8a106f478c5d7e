import { type Clock, timestamp } from '../meta/clock.ts';
import type { ResourceObject } from '../meta/object.ts';
import { type DefinitionStatus, statusOf } from '../resources/apiextensions/definition-shape.ts';

export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns the status with these conditions. The time of a condition changes only when its status does. Returns the status
 * itself when it has all of them.
 */
export function withConditions(
  object: ResourceObject,
  conditions: readonly DefinitionCondition[],
  clock: Clock,
): DefinitionStatus & Record<string, unknown> {
  const status = statusOf(object) as DefinitionStatus & Record<string, unknown>;
  const result = [...((status.conditions ?? []) as (DefinitionCondition & { lastTransitionTime?: string })[])];
  let isChanged = false;
  for (const condition of conditions) {
    const index = result.findIndex(({ type }) => type === condition.type);
    const old = result[index];
    const { type, status: state, reason, message } = condition;
    if (old?.status === state && old.reason === reason && old.message === message) continue;
    isChanged = true;
    const lastTransitionTime = old?.status === state ? old.lastTransitionTime : timestamp(clock);
    const next = { type, status: state, lastTransitionTime, reason, message } as (typeof result)[number];
    if (index < 0) result.push(next);
    else result[index] = { ...old, ...next };
  }
  return isChanged ? { ...status, conditions: result } : status;
}

export function isConditionTrue(object: ResourceObject, type: string): boolean {
  return !!statusOf(object).conditions?.some((condition) => condition.type === type && condition.status === 'True');
}
