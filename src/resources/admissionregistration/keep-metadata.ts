import type { ResourceObject } from '../../meta/object.ts';

/** For types whose status updates cannot change labels, annotations, finalizers and owners. */
export function keepMetadata(next: ResourceObject, stored: ResourceObject): void {
  const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
  Object.assign(next.metadata, { labels, annotations, finalizers, ownerReferences });
}
