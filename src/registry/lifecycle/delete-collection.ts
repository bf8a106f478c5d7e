import { StatusError } from '../../meta/status-error.ts';
import type { StoredObject } from '../../store/index.ts';
import type { DeleteCollectionRequest, ObjectList } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { deleteObject } from './delete.ts';
import { listStored, objectList } from './read.ts';

/** One object after the other. Answers with the objects as they were listed; one that is gone by its turn is no error. */
export async function deleteCollection(
  context: ResourceContext,
  request: DeleteCollectionRequest,
): Promise<ObjectList> {
  const page = await listStored(context, request);
  for (const stored of page.runs.flatMap(({ objects }) => objects)) await deleteListed(context, stored, request);
  return objectList(context, request, page);
}

/** Only what was listed: another object may have taken its name since, which nobody has asked to delete. */
async function deleteListed(
  context: ResourceContext,
  stored: StoredObject,
  { options, warn }: DeleteCollectionRequest,
): Promise<void> {
  const { namespace = '', name = '', uid } = stored.parse().metadata;
  const preconditions = { ...(uid !== undefined && { uid }), ...options.preconditions };
  try {
    await deleteObject(context, { namespace, name, options: { ...options, preconditions }, warn });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const isGone = error.status.code === 404 || (await context.store.get(stored.key))?.parse().metadata.uid !== uid;
    if (!isGone) throw error;
  }
}
