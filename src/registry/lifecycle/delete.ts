import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { notFound, type Status } from '../../meta/status-error.ts';
import type { Decision, StoredObject } from '../../store/index.ts';
import { admissionRequest } from '../admit-write.ts';
import type { ItemName } from '../object-keys.ts';
import type { DeleteRequest, DeleteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { checkPreconditions } from './delete-preconditions.ts';
import { type DeleteStep, deleteStep } from './delete-step.ts';
import { deleteUnreadable } from './delete-unreadable.ts';

/**
 * Deletes in two phases: an object with finalizers or a grace period is marked and removed later. Any other object is
 * removed at once.
 */
export async function deleteObject(context: ResourceContext, request: DeleteRequest): Promise<DeleteResult> {
  const { rules } = context.definition;
  const { options } = request;
  if (options.ignoreReadErrors) return deleteUnreadable(context, request);
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined) {
    if (rules.deleteWarning !== undefined) request.warn(rules.deleteWarning);
  }
  let step: DeleteStep | undefined;
  const outcome = await context.update(request, (current): MaybePromise<Decision> => {
    if (current === undefined) throw notFound(context.groupResource, request.name);
    const oldObject = context.codec.read(current);
    if (options.preconditions !== undefined) checkPreconditions(context, oldObject, options.preconditions);
    if (!request.isOfCollection) rules.admitDelete?.(request.name);
    return mapMaybe(admitted(context, oldObject, request), () => {
      step = deleteStep(rules, oldObject, { options, now: new Date(context.clock.now()) });
      return options.dryRun ? { action: 'keep' } : decision(context, step);
    });
  });
  const { action, object } = step!;
  const removed = action === 'remove' || action === 'mark and remove';
  if (options.dryRun) return deleteResult(context, { object, removed, document: context.codec.documentOf(object) });
  const last = action === 'mark and remove' ? await remove(context, request, outcome.object!) : outcome.object!;
  if (removed) await context.transactions?.afterDelete(object);
  return deleteResult(context, { object, removed, document: context.codec.document(last) });
}

function admitted(context: ResourceContext, oldObject: ResourceObject, request: DeleteRequest): MaybePromise<void> {
  const { admission } = context;
  const target = context.admissionTargets.of('');
  if (request.isAdmitted || !admission?.concerns('DELETE', target)) return undefined;
  const { namespace, user, options, warn, admissionContext } = request;
  // As in kube-apiserver, the deletion of a collection is admitted for each object, but without its name.
  const item = { namespace, name: request.isOfCollection ? '' : request.name };
  const about = { operation: 'DELETE', object: oldObject, oldObject, item } as const;
  return admission.admit(admissionRequest(target, { ...about, user, dryRun: options.dryRun, warn, admissionContext }));
}

function decision(context: ResourceContext, { action, object }: DeleteStep): MaybePromise<Decision> {
  if (action === 'keep') return { action: 'keep' };
  return action === 'remove' ? { action: 'delete' } : context.codec.put(object);
}

/**
 * Removes an object that was just marked. A concurrent request may already have removed it, and its name may be taken
 * again.
 */
async function remove(context: ResourceContext, item: ItemName, marked: StoredObject): Promise<StoredObject> {
  const { uid } = marked.parse().metadata;
  const outcome = await context.update(item, (current): Decision => {
    const isSame = current !== undefined && current.parse().metadata.uid === uid;
    return isSame ? { action: 'delete' } : { action: 'keep' };
  });
  return outcome.changed ? outcome.object! : marked;
}

function deleteResult(
  context: ResourceContext,
  { object, removed, document }: { object: ResourceObject; removed: boolean; document: Buffer },
): DeleteResult {
  if (removed && !context.definition.rules.returnsDeleted) return { status: deletedStatus(context, object) };
  return { object: document, removed };
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
