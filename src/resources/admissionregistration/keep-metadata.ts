import type { ResourceObject } from '../../meta/object.ts';

/** For types of which a write to `status` changes nothing of the metadata. */
export function keepMetadata(next: ResourceObject, stored: ResourceObject): void {
  const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
  Object.assign(next.metadata, { labels, annotations, finalizers, ownerReferences });
}
