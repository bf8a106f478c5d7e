import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';

export const nodes = { group: '', version: 'v1', resource: 'nodes' };

export function nodeNameOf({ spec }: ResourceObject): string {
  return ((spec ?? {}) as { nodeName?: string }).nodeName ?? '';
}

/** Whether the update changes the spec of a pod that is bound to a node. */
export function changesBoundPod({ object, oldObject }: AdmissionRequest): boolean {
  return nodeNameOf(object) !== '' && object.metadata.generation !== oldObject?.metadata.generation;
}

/** The node of a bound pod. Rejects the request when it does not exist. */
export function nodeOfPod(request: AdmissionRequest, objects: ObjectReader): MaybePromise<ResourceObject> {
  const name = nodeNameOf(request.object);
  return mapMaybe(objects.get(nodes, { namespace: '', name }), (node) => {
    if (node === undefined) throw admissionForbidden(request, `node ${goQuote(name)} not found`);
    return node;
  });
}
