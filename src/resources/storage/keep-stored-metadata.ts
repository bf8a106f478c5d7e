import type { ResourceObject } from '../../meta/object.ts';

const kept = ['deletionTimestamp', 'generation', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** A write to the status of some types changes the status and nothing else. */
export function keepStoredMetadata(next: ResourceObject, stored: ResourceObject): void {
  for (const field of kept) (next.metadata as Record<string, unknown>)[field] = stored.metadata[field];
}
