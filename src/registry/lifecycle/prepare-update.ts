import { sameValue } from '../../merge/managed-fields/index.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { copyExplicitEmpty, hasExplicitEmpty, isMarkedExplicitEmpty } from '../../schema/explicit-empty.ts';
import { isCustom } from '../kind-mismatch.ts';
import { orderedMeta } from '../ordered-meta.ts';
import type { ResourceContext } from '../resource-context.ts';
import { subresourceRulesOf } from '../subresource-rules.ts';

/** The endpoint of a write: `main`, `status`, `finalize`, or a subresource for which the type has rules. */
export type WriteEndpoint = string;

/** Returns the subresource of the endpoint. Empty for the main resource. */
export function subresourceOf(endpoint: WriteEndpoint): string {
  return endpoint === 'main' ? '' : endpoint;
}

/** Returns the object to store when `sent` replaces `oldObject` through an endpoint. May reuse both arguments. */
export function prepareUpdate(
  context: ResourceContext,
  { sent, oldObject }: { sent: ResourceObject; oldObject: ResourceObject },
  endpoint: WriteEndpoint,
): ResourceObject {
  const metadata = keptMeta(isCustom(context) ? withoutZeroTime(sent.metadata) : sent.metadata, oldObject.metadata);
  if (endpoint === 'status') {
    const next: ResourceObject = { ...oldObject, metadata, status: sent.status };
    if (sent.status === undefined) delete next.status;
    context.definition.rules.prepareStatusUpdate?.(next, oldObject, context.clock);
    return next;
  }
  if (endpoint === 'finalize') return { ...oldObject, metadata, spec: sent.spec };
  const subresourceRules = subresourceRulesOf(context.definition, endpoint);
  if (subresourceRules !== undefined) {
    const changed: ResourceObject = { ...subresourceRules.prepare(sent, oldObject, context.clock), metadata };
    const next = context.canonical(changed);
    copyExplicitEmpty(changed.spec, next.spec);
    if (subresourceRules.countsGeneration) countGeneration(context, next, oldObject);
    return next;
  }
  const next: ResourceObject = { ...sent, metadata };
  if (context.hasStatus) {
    if (oldObject.status === undefined) delete next.status;
    else next.status = oldObject.status;
  }
  context.definition.rules.dropUnserved?.(next, oldObject, context.isServed);
  context.definition.rules.prepareUpdate?.(next, oldObject, context.clock);
  countGeneration(context, next, oldObject);
  return next;
}

function countGeneration(context: ResourceContext, next: ResourceObject, oldObject: ResourceObject): void {
  if (!context.definition.rules.generation || !desiredStateDiffers(context, next, oldObject)) return;
  next.metadata.generation = (oldObject.metadata.generation ?? 0) + 1;
}

/** Custom objects have no deletion time that is zero. Other objects may have one until they are validated. */
function withoutZeroTime(sent: ObjectMeta): ObjectMeta {
  return sent.deletionTimestamp === null ? { ...sent, deletionTimestamp: undefined } : sent;
}

/** Keeps metadata that a client cannot change, and adds metadata that it may omit. */
function keptMeta(sent: ObjectMeta, oldMeta: ObjectMeta): ObjectMeta {
  return orderedMeta({
    ...sent,
    uid: sent.uid || oldMeta.uid,
    resourceVersion: oldMeta.resourceVersion,
    generation: oldMeta.generation,
    creationTimestamp: oldMeta.creationTimestamp,
    deletionTimestamp: oldMeta.deletionTimestamp ?? sent.deletionTimestamp,
    deletionGracePeriodSeconds: sent.deletionGracePeriodSeconds ?? oldMeta.deletionGracePeriodSeconds,
  });
}

/** Both objects are in canonical form. Quantities are compared by amount. */
function desiredStateDiffers(
  { hasStatus, definition, ownership }: ResourceContext,
  next: ResourceObject,
  oldObject: ResourceObject,
): boolean {
  // A custom type may have a field of this name that is not a status.
  const keepsStatus = definition.storage?.converter !== undefined && !hasStatus;
  const desired = ({ metadata: _metadata, status, ...rest }: ResourceObject) =>
    keepsStatus ? { ...rest, status } : rest;
  const statesEmpty =
    definition.rules.generationCountsEmpty && isMarkedExplicitEmpty(next) && hasExplicitEmpty(desired(next));
  return statesEmpty || !sameValue(ownership.shape, desired(next), desired(oldObject));
}
