import { StatusError } from '../../meta/status-error.ts';
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
  for (const stored of page.runs.flatMap(({ objects }) => objects)) {
    const { namespace = '', name = '' } = stored.parse().metadata;
    try {
      await deleteObject(context, { namespace, name, options: request.options, warn: request.warn });
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
    }
  }
  return objectList(context, request, page);
}
