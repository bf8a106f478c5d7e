import { isDeepStrictEqual } from 'node:util';
import { formatTime } from '../../meta/time.ts';
import type { Budget, BudgetStatus, Condition, Pod } from './budget.ts';

/** An evicted pod that is not being deleted after this time counts as healthy again. */
const deletionTimeoutMs = 2 * 60_000;
const conditionType = 'DisruptionAllowed';

export interface Counts {
  readonly expected: number;
  readonly desired: number;
}

export interface ComputedStatus {
  readonly status: BudgetStatus;
  /** The delay until a recorded eviction expires, in milliseconds. */
  readonly recheckMs: number | undefined;
}

/** Computes the status of a budget from the current state of its pods. */
export function computedStatus(
  budget: Budget,
  pods: readonly Pod[],
  { expected, desired, now }: Counts & { now: number },
): ComputedStatus {
  const disrupted: Record<string, string> = {};
  let recheckMs: number | undefined;
  for (const { metadata } of pods) {
    const time = budget.status?.disruptedPods?.[metadata.name ?? ''];
    if (time === undefined || metadata.deletionTimestamp !== undefined) continue;
    const left = Date.parse(time) + deletionTimeoutMs - now;
    if (left <= 0) continue;
    disrupted[metadata.name ?? ''] = time;
    recheckMs = Math.min(recheckMs ?? left, left);
  }
  const healthy = pods.filter((pod) => isHealthy(pod) && disrupted[pod.metadata.name ?? ''] === undefined).length;
  const allowed = expected <= 0 ? 0 : Math.max(healthy - desired, 0);
  const reason = allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  const counted = {
    observedGeneration: budget.metadata.generation ?? 0,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
  };
  const conditions = withCondition(budget, { status: allowed > 0 ? 'True' : 'False', reason, message: '' }, now);
  return { status: { ...counted, conditions }, recheckMs };
}

/** Allows no disruptions, because the expected number of pods is unknown. */
export function failedStatus(budget: Budget, message: string, now: number): BudgetStatus {
  const { conditions: _, ...before } = budget.status ?? {};
  const conditions = withCondition(budget, { status: 'False', reason: 'SyncFailed', message }, now);
  const { disruptedPods, currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = before;
  return {
    observedGeneration: budget.metadata.generation ?? 0,
    ...(disruptedPods !== undefined && { disruptedPods }),
    disruptionsAllowed: 0,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions,
  };
}

export function isSameStatus(left: BudgetStatus | undefined, right: BudgetStatus): boolean {
  return isDeepStrictEqual({ ...left }, { ...right });
}

export function isHealthy({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
}

function withCondition(
  { metadata, status }: Budget,
  next: Pick<Condition, 'status' | 'reason' | 'message'>,
  now: number,
): Condition[] {
  const before = status?.conditions ?? [];
  const old = before.find(({ type }) => type === conditionType);
  const condition = {
    type: conditionType,
    status: next.status,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: old?.status === next.status ? old.lastTransitionTime : formatTime(new Date(now)),
    reason: next.reason,
    message: next.message,
  };
  if (old === undefined) return [...before, condition];
  return before.map((each) => (each === old ? condition : each));
}
