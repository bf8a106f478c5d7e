import type { ResourceObject } from '../../meta/object.ts';

const kept = ['deletionTimestamp', 'generation', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** For types whose status updates cannot change the metadata. */
export function keepStoredMetadata(next: ResourceObject, oldObject: ResourceObject): void {
  for (const field of kept) (next.metadata as Record<string, unknown>)[field] = oldObject.metadata[field];
}
