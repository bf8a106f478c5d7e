import type { DiscoveredResource } from '../../client/index.ts';
import { parseApiVersion } from '../../meta/group-version.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';

/** A type whose objects can be watched and deleted. */
export type CollectedType = Pick<DiscoveredResource, 'group' | 'version' | 'resource' | 'kind' | 'namespaced'>;

export function typeKey({ group, kind }: Pick<CollectedType, 'group' | 'kind'>): string {
  return `${kind}.${group}`;
}

/** Ignores the version, because all versions of a kind share their objects. */
export function ownerTypeKey({ apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>): string {
  return typeKey({ group: parseApiVersion(apiVersion).group, kind });
}

/** Copies only the metadata that the collector needs, because there may be many objects. */
export function collectedMetadata({ metadata }: ResourceObject): ResourceObject {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, ownerReferences, finalizers } = metadata;
  return {
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(ownerReferences !== undefined && { ownerReferences }),
      ...(finalizers !== undefined && { finalizers }),
    },
  };
}
