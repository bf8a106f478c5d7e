import { anyShape, sameValue } from '../../merge/managed-fields/index.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { orderedMeta } from '../ordered-meta.ts';
import type { ResourceContext } from '../resource-context.ts';
import { subresourceRulesOf } from '../subresource-rules.ts';

/**
 * The part of an object that an endpoint writes: `main`, `status`, `finalize`, or a subresource with rules in its type.
 */
export type WrittenPart = string;

/** The subresource that writes the part. */
export function subresourceOf(part: WrittenPart): string {
  return part === 'main' ? '' : part;
}

/** Returns the object to store when `sent` replaces `stored` through an endpoint. May reuse both arguments. */
export function prepareUpdate(
  context: ResourceContext,
  { sent, stored }: { sent: ResourceObject; stored: ResourceObject },
  part: WrittenPart,
): ResourceObject {
  const metadata = keptMeta(sent.metadata, stored.metadata);
  if (part === 'status') {
    const next = { ...stored, metadata, status: sent.status };
    context.definition.rules.prepareStatusUpdate?.(next, stored);
    return next;
  }
  if (part === 'finalize') return { ...stored, metadata, spec: sent.spec };
  const partRules = subresourceRulesOf(context.definition, part);
  if (partRules !== undefined) {
    const next = context.canonical({ ...partRules.prepare(sent, stored), metadata });
    if (partRules.countsGeneration) countGeneration(context, next, stored);
    return next;
  }
  const next: ResourceObject = { ...sent, metadata };
  if (context.hasStatus) {
    if (stored.status === undefined) delete next.status;
    else next.status = stored.status;
  }
  context.definition.rules.dropUnserved?.(next, stored, context.isServed);
  context.definition.rules.prepareUpdate?.(next, stored);
  countGeneration(context, next, stored);
  return next;
}

function countGeneration({ definition }: ResourceContext, next: ResourceObject, stored: ResourceObject): void {
  if (!definition.rules.generation || !desiredStateDiffers(next, stored)) return;
  next.metadata.generation = (stored.metadata.generation ?? 0) + 1;
}

/** Keeps metadata that a client cannot change, and fills in what it may omit. */
function keptMeta(sent: ObjectMeta, stored: ObjectMeta): ObjectMeta {
  return orderedMeta({
    ...sent,
    uid: sent.uid || stored.uid,
    resourceVersion: stored.resourceVersion,
    generation: stored.generation,
    creationTimestamp: stored.creationTimestamp,
    deletionTimestamp: stored.deletionTimestamp ?? sent.deletionTimestamp,
    deletionGracePeriodSeconds: sent.deletionGracePeriodSeconds ?? stored.deletionGracePeriodSeconds,
  });
}

/** Both objects are in canonical form, in which equal meaning implies equal values. */
function desiredStateDiffers(next: ResourceObject, stored: ResourceObject): boolean {
  const desired = ({ metadata: _metadata, status: _status, ...rest }: ResourceObject) => rest;
  return !sameValue(anyShape, desired(next), desired(stored));
}
