import { ApiError } from '../api/api-error.ts';
import type { ApiObject, ObjectMeta } from '../api/api-object.ts';
import { requestJson } from '../api/request.ts';
import { type ResourceType, resourcePath } from '../api/resource-type.ts';
import { listedTypes, typeOfKind } from '../state/catalog.ts';
import type { GraphNode } from './graph-layout.ts';

export interface Relative extends GraphNode {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly type: ResourceType | undefined;
  readonly isDeleting: boolean;
  readonly isBlocking: boolean;
  /** Whether the owner reference refers to an object that does not exist. */
  readonly isMissing: boolean;
}

export interface Relations {
  readonly nodes: ReadonlyMap<string, Relative>;
  /** Types that could not be searched completely. */
  readonly unknown: readonly string[];
}

const listAccept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
const objectAccept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json';
const maxPerType = 2000;
const concurrency = 6;

/** Searches for the owners of an object and for all objects that may depend on it. The API has no index of owners. */
export async function loadRelations(object: ApiObject, own: ResourceType, signal: AbortSignal): Promise<Relations> {
  const nodes = new Map<string, Relative>();
  const unknown: string[] = [];
  const add = (metadata: ObjectMeta, type: ResourceType) => {
    if (metadata.uid) nodes.set(metadata.uid, relative(metadata, type));
  };
  add(object.metadata, own);
  const { namespace } = object.metadata;
  const candidates = listedTypes.value.filter(
    (type) => (type.namespaced || namespace === undefined) && !/events/.test(type.resource),
  );
  const queue = [...candidates];
  const work = async () => {
    for (let type = queue.shift(); type; type = queue.shift()) {
      try {
        const path = resourcePath(type, { namespace: type.namespaced ? namespace : undefined });
        const list = await requestJson<{ items: { metadata: ObjectMeta }[]; metadata: { continue?: string } }>(
          `${path}?limit=${maxPerType}`,
          { accept: listAccept, signal },
        );
        for (const { metadata } of list.items) if (metadata.ownerReferences) add(metadata, type);
        if (list.metadata.continue) unknown.push(type.kind);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        unknown.push(type.kind);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await addOwners({ metadata: object.metadata, nodes, signal });
  return { nodes, unknown };
}

function relative(metadata: ObjectMeta, type: ResourceType): Relative {
  return {
    uid: metadata.uid ?? '',
    kind: type.kind,
    name: metadata.name,
    namespace: metadata.namespace,
    type,
    owners: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isBlocking: (metadata.ownerReferences ?? []).some(({ blockOwnerDeletion }) => blockOwnerDeletion === true),
    isMissing: false,
  };
}

async function addOwners(at: {
  metadata: ObjectMeta;
  nodes: Map<string, Relative>;
  signal: AbortSignal;
}): Promise<void> {
  const { metadata, nodes, signal } = at;
  for (const owner of metadata.ownerReferences ?? []) {
    const known = nodes.get(owner.uid);
    const type = typeOfKind(owner.apiVersion, owner.kind);
    const namespace = type?.namespaced ? metadata.namespace : undefined;
    let found: { metadata: ObjectMeta } | undefined;
    if (type) {
      const path = resourcePath(type, { namespace, name: owner.name });
      found = await requestJson<{ metadata: ObjectMeta }>(path, { accept: objectAccept, signal }).catch((error) => {
        if (error instanceof ApiError) return undefined;
        throw error;
      });
    }
    if (found?.metadata.uid === owner.uid && type) {
      nodes.set(owner.uid, relative(found.metadata, type));
      // Without this check, a cycle of owners would never end.
      if (!known) await addOwners({ metadata: found.metadata, nodes, signal });
    } else if (!known) {
      const { uid, kind, name } = owner;
      nodes.set(uid, {
        uid,
        kind,
        name,
        namespace,
        type,
        owners: [],
        isDeleting: false,
        isBlocking: false,
        isMissing: true,
      });
    }
  }
}
