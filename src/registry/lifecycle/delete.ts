import type { ResourceObject } from '../../meta/object.ts';
import { conflict, notFound, type Status } from '../../meta/status-error.ts';
import { formatTime } from '../../meta/time.ts';
import type { Decision } from '../../store/index.ts';
import { orderedMeta } from '../ordered-meta.ts';
import type { DeleteOptions, DeleteRequest, DeleteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';

/** Two phases: an object with finalizers is marked and goes when the last of them is removed; any other goes at once. */
export async function deleteObject(context: ResourceContext, request: DeleteRequest): Promise<DeleteResult> {
  const { name, options } = request;
  context.definition.rules.admitDelete?.(name);
  let stored: ResourceObject | undefined;
  let removed = false;
  const outcome = await context.update(request, (current): Decision => {
    if (current === undefined) throw notFound(context.groupResource, name);
    stored = context.read(current);
    checkPreconditions(context, stored, options.preconditions);
    const marked = markDeleted(context, stored);
    removed = marked === undefined;
    stored = marked ?? stored;
    if (options.dryRun) return { action: 'keep' };
    return marked === undefined ? { action: 'delete' } : { action: 'put', value: context.encode(marked) };
  });
  if (removed && !options.dryRun) await context.transactions?.afterDelete(stored!);
  if (removed && !context.definition.rules.returnsDeleted) return { status: deletedStatus(context, stored!) };
  const object = options.dryRun || removed ? context.documentOf(stored!) : context.document(outcome.object!);
  return { object, removed };
}

/** The object as it waits for its deletion; undefined when nothing holds it. */
function markDeleted({ definition }: ResourceContext, stored: ResourceObject): ResourceObject | undefined {
  const { metadata } = stored;
  const held = !!metadata.finalizers?.length || definition.rules.heldBack?.(stored);
  if (!held) return undefined;
  if (metadata.deletionTimestamp !== undefined) return stored;
  const marked = {
    ...stored,
    metadata: orderedMeta({
      ...metadata,
      deletionTimestamp: formatTime(new Date()),
      deletionGracePeriodSeconds: 0,
      generation: metadata.generation === undefined ? undefined : metadata.generation + 1,
    }),
  };
  definition.rules.prepareDelete?.(marked);
  return marked;
}

function checkPreconditions(
  { definition }: ResourceContext,
  { metadata }: ResourceObject,
  { uid, resourceVersion }: DeleteOptions['preconditions'],
): void {
  // The messages name the kind where others name the resource.
  const subject = { group: definition.group, resource: definition.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      subject,
      metadata.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      subject,
      metadata.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

function deletedStatus({ groupResource }: ResourceContext, { metadata }: ResourceObject): Status {
  const { group, resource } = groupResource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      ...(metadata.name !== undefined && { name: metadata.name }),
      ...(group !== '' && { group }),
      kind: resource,
      ...(metadata.uid !== undefined && { uid: metadata.uid }),
    },
  };
}
