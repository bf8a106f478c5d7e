import { ApiError, type Client, type ResourceReference } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** The object is being deleted, and nothing but the protection may hold it back. */
export function isWaiting({ metadata }: ResourceObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && !!metadata.finalizers?.includes(finalizer);
}

/** Lets the object go, if it is still as it was when it was looked at. Rejects with a 409 when it is not. */
export async function unprotect(
  client: Client,
  { type, object, finalizer }: { type: ResourceReference; object: ResourceObject; finalizer: string },
): Promise<void> {
  const { namespace, name = '', uid, resourceVersion, finalizers = [] } = object.metadata;
  const others = finalizers.filter((other) => other !== finalizer);
  const metadata = { uid, resourceVersion, finalizers: others.length === 0 ? null : others };
  await client.resource(type, namespace).patch(name, { metadata }).catch(missing);
}

export function missing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 404) throw error;
}
