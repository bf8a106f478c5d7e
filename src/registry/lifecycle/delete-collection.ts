import { StatusError } from '../../meta/status-error.ts';
import type { StoredObject } from '../../store/index.ts';
import type { DeleteCollectionRequest, ObjectList } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { deleteObject } from './delete.ts';
import { listStored, objectList, readyPage } from './read.ts';

/** The number of concurrent deletes: storage groups concurrent writes to one commit. */
const concurrency = 32;

/**
 * Deletes objects in the order of the list and responds with the objects as listed. An object that no longer exists is
 * not an error. After any other error, no further objects are deleted.
 */
export async function deleteCollection(
  context: ResourceContext,
  request: DeleteCollectionRequest,
): Promise<ObjectList> {
  const page = await listStored(context, request);
  const listed = page.runs.flatMap(({ objects }) => objects).values();
  let failure: unknown;
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const stored of listed) {
      try {
        await deleteListed(context, stored, request);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
      if (failed) return;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failed) throw failure;
  await readyPage(context, page);
  return objectList(context, request, page);
}

/** Deletes only the listed object: another one may have taken its name since. */
async function deleteListed(
  context: ResourceContext,
  stored: StoredObject,
  { options, ...request }: DeleteCollectionRequest,
): Promise<void> {
  const { namespace = '', name = '', uid } = stored.parse().metadata;
  const preconditions = { ...options.preconditions, uid: options.preconditions?.uid ?? uid };
  try {
    const { user, warn, admissionContext } = request;
    const target = { namespace, name, isOfCollection: true, user, warn, ...(admissionContext && { admissionContext }) };
    await deleteObject(context, { ...target, options: { ...options, preconditions } });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const isGone = error.status.code === 404 || (await context.store.get(stored.key))?.parse().metadata.uid !== uid;
    if (!isGone) throw error;
  }
}
