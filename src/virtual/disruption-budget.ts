import { type Clock, timestamp } from '../meta/clock.ts';
import type { ResourceObject } from '../meta/object.ts';
import { type ObjectLabelSelector, objectLabelSelector } from '../meta/object-label-selector.ts';
import { forbidden, StatusError, tooManyRequests } from '../meta/status-error.ts';
import type { ResourceSet } from '../registry/index.ts';
import type { PodDisruptionBudgetStatus } from '../resources/policy/disruption-types.ts';
import type { Condition } from '../schema/meta-types.ts';

const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Above this number of unconfirmed evictions the budget's controller is too far behind to allow more. */
const maxUnconfirmed = 2000;
const allowed = 'DisruptionAllowed';

/**
 * The budget that selects the pod; undefined when there is none. Several budgets are an error, because they could not
 * be updated atomically.
 */
export async function budgetOf(set: ResourceSet, { metadata }: ResourceObject): Promise<ResourceObject | undefined> {
  const { labels = {}, namespace = '' } = metadata;
  if (Object.keys(labels).length === 0 || set.find(budgets) === undefined) return undefined;
  const guarding = (await set.current.list(budgets, namespace)).filter(({ spec }) => {
    const { selector } = (spec ?? {}) as { selector?: ObjectLabelSelector };
    return selector !== undefined && objectLabelSelector(selector).matches(labels);
  });
  if (guarding.length <= 1) return guarding[0];
  const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  throw new StatusError({ code: 500, reason: '', message });
}

/** Whether an unready pod may be evicted without being counted, because enough pods are healthy without it. */
export function allowsUnreadyEviction({ spec, status }: ResourceObject): boolean {
  if ((spec as { unhealthyPodEvictionPolicy?: string } | undefined)?.unhealthyPodEvictionPolicy === 'AlwaysAllow') {
    return true;
  }
  const { currentHealthy = 0, desiredHealthy = 0 } = (status ?? {}) as PodDisruptionBudgetStatus;
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Takes one disruption for the pod, or throws. Concurrent evictions cannot share the last one. */
export async function takeDisruption(
  set: ResourceSet,
  budget: ResourceObject,
  { pod, dryRun }: { pod: string; dryRun: boolean },
): Promise<void> {
  const { namespace = '', name = '' } = budget.metadata;
  await set.update(budgets, { namespace, name }, (present) => {
    checkBudget(present);
    return dryRun ? undefined : withDisruptedPod(present, pod, set.clock);
  });
}

export function stillProcessed(budget: string): StatusError {
  const message = `The disruption budget ${budget} is still being processed by the server.`;
  return tooManyRequests(refusal, [{ reason: 'DisruptionBudget', message }], 10);
}

function checkBudget({ metadata, status: oldValue }: ResourceObject): void {
  const { name = '', generation = 0 } = metadata;
  const status = (oldValue ?? {}) as PodDisruptionBudgetStatus;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  if (observedGeneration < generation) throw stillProcessed(name);
  const subject = { group: 'policy', resource: 'poddisruptionbudget' };
  if (disruptionsAllowed < 0) throw forbidden(subject, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > maxUnconfirmed) {
    const detail = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(subject, name, detail);
  }
  if (disruptionsAllowed > 0) return;
  throw tooManyRequests(refusal, [{ reason: 'DisruptionBudget', message: reasonOf(name, status) }]);
}

function reasonOf(name: string, { conditions = [], observedGeneration, ...counts }: PodDisruptionBudgetStatus): string {
  const failed = conditions.find(
    ({ type, status, reason, observedGeneration: seen }) =>
      type === allowed && status === 'False' && reason === 'SyncFailed' && (seen ?? 0) === (observedGeneration ?? 0),
  );
  if (failed !== undefined) {
    const because = `because it failed sync: ${failed.message ?? ''}`;
    return `The disruption budget ${name} does not allow evicting pods currently ${because}`;
  }
  const { desiredHealthy = 0, currentHealthy = 0 } = counts;
  return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
}

/** The pod counts as disrupted until the budget's controller has seen its deletion or the eviction expires. */
function withDisruptedPod(budget: ResourceObject, pod: string, clock: Clock): ResourceObject {
  const status = { ...(budget.status as PodDisruptionBudgetStatus) };
  const now = timestamp(clock);
  status.disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  status.disruptedPods = { ...status.disruptedPods, [pod]: now };
  if (status.disruptionsAllowed === 0) status.conditions = exhausted(status, now);
  return { ...budget, status };
}

function exhausted({ conditions = [], observedGeneration }: PodDisruptionBudgetStatus, now: string): Condition[] {
  const before = conditions.find(({ type }) => type === allowed);
  const since = before?.status === 'False' ? before.lastTransitionTime : undefined;
  const next = {
    type: allowed,
    status: 'False',
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: since ?? now,
    reason: 'InsufficientPods',
    message: '',
  };
  return before === undefined ? [...conditions, next] : conditions.map((old) => (old === before ? next : old));
}
