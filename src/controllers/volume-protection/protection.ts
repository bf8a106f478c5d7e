import type { Client, ResourceReference } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';

/** Whether the object is being deleted and has the finalizer. */
export function isWaiting({ metadata }: ResourceObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && !!metadata.finalizers?.includes(finalizer);
}

/** Removes the finalizer, if the object is unchanged. Rejects with a 409 otherwise. */
export async function unprotect(
  client: Client,
  { type, object, finalizer }: { type: ResourceReference; object: ResourceObject; finalizer: string },
): Promise<void> {
  const { namespace, name = '', uid, resourceVersion, finalizers = [] } = object.metadata;
  const others = finalizers.filter((other) => other !== finalizer);
  const metadata = { uid, resourceVersion, finalizers: others.length === 0 ? null : others };
  await client.resource(type, namespace).patch(name, { metadata }).catch(ignoreNotFound);
}
