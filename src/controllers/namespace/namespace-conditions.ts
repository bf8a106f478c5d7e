import { type Clock, systemClock, timestamp } from '../../meta/clock.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { RemainingContent } from './namespace-content.ts';

export interface NamespaceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Namespace extends ResourceObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly NamespaceCondition[] };
}

interface Finding {
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a terminating namespace, with reason and message for the case without problems. */
const fine: Readonly<Record<string, Finding>> = {
  NamespaceDeletionDiscoveryFailure: {
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  NamespaceDeletionGroupVersionParsingFailure: {
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  NamespaceDeletionContentFailure: {
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  NamespaceContentRemaining: { reason: 'ContentRemoved', message: 'All content successfully removed' },
  NamespaceFinalizersRemaining: {
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
};

/**
 * Returns the conditions that explain why the namespace still exists, and keeps foreign conditions. Returns undefined
 * when nothing changes.
 */
export function nextConditions(
  before: readonly NamespaceCondition[],
  remains: RemainingContent & { readonly undiscovered: readonly string[] },
  clock: Clock = systemClock,
): NamespaceCondition[] | undefined {
  const findings = findingsOf(remains);
  const now = timestamp(clock);
  let isChanged = false;
  const own = Object.entries(fine).map(([type, good]): NamespaceCondition => {
    const found = findings[type];
    const next = { type, status: found === undefined ? 'False' : 'True', ...(found ?? good) };
    const old = before.find((condition) => condition.type === type);
    if (old?.status === next.status && old.reason === next.reason && old.message === next.message) return old;
    isChanged = true;
    const time = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
    return { type, status: next.status, lastTransitionTime: time, reason: next.reason, message: next.message };
  });
  return isChanged ? [...own, ...before.filter(({ type }) => fine[type] === undefined)] : undefined;
}

function findingsOf({
  held,
  errors,
  undiscovered,
}: Parameters<typeof nextConditions>[1]): Partial<Record<string, Finding>> {
  const findings: Partial<Record<string, Finding>> = {};
  if (undiscovered.length > 0) {
    const failures = undiscovered.map((version) => `${version}: stale GroupVersion discovery: ${version}`).join(', ');
    findings.NamespaceDeletionDiscoveryFailure = {
      reason: 'DiscoveryFailed',
      message: `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${failures}`,
    };
  }
  if (errors.length > 0) {
    const messages = errors.map(({ message }) => message).sort();
    findings.NamespaceDeletionContentFailure = {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${errors.length} remaining: ${messages.join(', ')}`,
    };
  }
  const counts = held.map(
    ({ type, objects }) => `${type.resource}.${type.group} has ${objects.length} resource instances`,
  );
  if (counts.length > 0) {
    findings.NamespaceContentRemaining = {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${counts.sort().join(', ')}`,
    };
  }
  const finalizers = finalizerCounts(held.flatMap(({ objects }) => objects));
  if (finalizers.length > 0) {
    findings.NamespaceFinalizersRemaining = {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`,
    };
  }
  return findings;
}

function finalizerCounts(objects: readonly ResourceObject[]): string[] {
  const counts = new Map<string, number>();
  for (const { metadata } of objects) {
    for (const finalizer of metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return Array.from(counts, ([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
}
