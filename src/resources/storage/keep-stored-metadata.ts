import type { ResourceObject } from '../../meta/object.ts';

const kept = ['deletionTimestamp', 'generation', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Keeps the stored metadata, for types whose status updates cannot change it. */
export function keepStoredMetadata(next: ResourceObject, oldObject: ResourceObject): void {
  for (const field of kept) (next.metadata as Record<string, unknown>)[field] = oldObject.metadata[field];
}
