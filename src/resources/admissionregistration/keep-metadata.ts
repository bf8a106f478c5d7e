import type { ResourceObject } from '../../meta/object.ts';

/**
 * Keeps the stored metadata, for types whose status updates cannot change labels, annotations, finalizers and owners.
 */
export function keepMetadata(next: ResourceObject, oldObject: ResourceObject): void {
  const { labels, annotations, finalizers, ownerReferences } = oldObject.metadata;
  Object.assign(next.metadata, { labels, annotations, finalizers, ownerReferences });
}
