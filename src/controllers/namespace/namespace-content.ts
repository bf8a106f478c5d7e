import { ApiError, type Client, type DiscoveredResource, type ResourceReference } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** The content that remains in a namespace. */
export interface RemainingContent {
  /** Types with remaining objects, and these objects. */
  readonly held: readonly { readonly type: DiscoveredResource; readonly objects: readonly ResourceObject[] }[];
  readonly errors: readonly Error[];
}

/**
 * Deletes all objects in the namespace, of all types concurrently. Returns objects that still exist; the failure of one
 * type does not stop the others.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  types: readonly DiscoveredResource[],
): Promise<RemainingContent> {
  const results = await Promise.allSettled(
    types.map(async (type) => ({ type, objects: await deleteAll(client, namespace, type) })),
  );
  return {
    held: results.flatMap((result) =>
      result.status === 'fulfilled' && result.value.objects.length > 0 ? [result.value] : [],
    ),
    errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : [])),
  };
}

/** The namespaced types whose objects can be listed and deleted. */
export function deletableTypes(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  return resources.filter(
    ({ namespaced, verbs }) =>
      namespaced && verbs.includes('list') && (verbs.includes('deletecollection') || verbs.includes('delete')),
  );
}

/** Requests that were admitted before the namespace began to terminate may still create objects. */
const rounds = 4;

/** Whether the object is being deleted and waits only for finalizers or its grace period. */
export function isBeingDeleted({ metadata }: ResourceObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

async function deleteAll(client: Client, namespace: string, type: DiscoveredResource): Promise<ResourceObject[]> {
  const metadata = client.resource(type, namespace).metadataOnly();
  // Most types have no objects in the namespace.
  const { items: some } = await metadata.list({ limit: 1 });
  if (some.length === 0) return [];
  for (let round = 1; ; round++) {
    await deleteOnce(client, namespace, type);
    const { items } = await metadata.list();
    if (round === rounds || items.every(isBeingDeleted)) return items;
  }
}

async function deleteOnce(client: Client, namespace: string, type: DiscoveredResource): Promise<void> {
  const collection = client.resource(type, namespace);
  const metadata = collection.metadataOnly();
  const options = { propagationPolicy: 'Background' } as const;
  if (type.verbs.includes('deletecollection')) await metadata.deleteCollection({}, options);
  else {
    const { items } = await metadata.list();
    await Promise.all(
      items.map(({ metadata: { name = '' } }) => collection.delete(name, {}, options).catch(isMissing)),
    );
  }
  if (type.group === '' && type.resource === 'pods') await deleteLostPods(client, namespace, type);
}

/** No kubelet will report the end of a pod whose node does not exist. */
async function deleteLostPods(client: Client, namespace: string, type: ResourceReference): Promise<void> {
  const pods = client.resource(type, namespace);
  const { items } = await pods.list();
  const nodeOf = ({ spec }: ResourceObject): string => (spec as { nodeName?: string } | undefined)?.nodeName ?? '';
  const names = new Set(items.map(nodeOf));
  const nodes = client.resource({ group: '', version: 'v1', resource: 'nodes' }).metadataOnly();
  const missing = new Set<string>();
  for (const name of names) {
    const isThere = name !== '' && (await nodes.get(name).then(() => true, isMissing));
    if (!isThere) missing.add(name);
  }
  const lost = items.filter((pod) => missing.has(nodeOf(pod)));
  await Promise.all(
    lost.map(({ metadata: { name = '', uid = '' } }) =>
      pods.delete(name, {}, { gracePeriodSeconds: 0, preconditions: { uid } }).catch(isMissing),
    ),
  );
}

function isMissing(error: unknown): false {
  if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return false;
  throw error;
}
