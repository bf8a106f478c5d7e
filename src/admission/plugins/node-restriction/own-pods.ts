import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import { checkMirrorPod } from './mirror-pod.ts';
import { type NodeRequest, objectNotFound, pods } from './node-request.ts';

export function checkPod(nodeRequest: NodeRequest): MaybePromise<void> {
  const { node, request } = nodeRequest;
  switch (request.operation) {
    case 'CREATE':
      return checkMirrorPod(nodeRequest);
    case 'DELETE':
      if (nodeNameOf(request.oldObject) === node) return undefined;
      throw admissionForbidden(request, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
    default: {
      const only = `node ${goQuote(node)} can only create and delete mirror pods`;
      throw admissionForbidden(request, `unexpected operation ${goQuote(request.operation)}, ${only}`);
    }
  }
}

interface PodStatus {
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
  readonly extendedResourceClaimStatus?: object;
}

export function checkPodStatus({ node, request }: NodeRequest): void {
  const { object, oldObject } = request;
  const subject = `node ${goQuote(node)}`;
  if (nodeNameOf(oldObject) !== node) {
    throw admissionForbidden(
      request,
      `${subject} can only update pod status for pods with spec.nodeName set to itself`,
    );
  }
  if (!isDeepStrictEqual({ ...object.metadata.labels }, { ...oldObject?.metadata.labels })) {
    throw admissionForbidden(request, `${subject} cannot update labels through pod status`);
  }
  // The claims of a pod determine what its node may read.
  const next = (object.status ?? {}) as PodStatus;
  const before = (oldObject?.status ?? {}) as PodStatus;
  if (!isDeepStrictEqual(claimsOf(next), claimsOf(before))) {
    throw admissionForbidden(request, `${subject} cannot update resource claim statues`);
  }
  if (!isDeepStrictEqual(next.extendedResourceClaimStatus, before.extendedResourceClaimStatus)) {
    throw admissionForbidden(request, `${subject} cannot update extended resource claim status`);
  }
}

function claimsOf({ resourceClaimStatuses = [] }: PodStatus) {
  return resourceClaimStatuses.map(({ name, resourceClaimName }) => [name, resourceClaimName]);
}

export function checkEviction({ node, request, objects }: NodeRequest): MaybePromise<void> {
  const { namespace, name } = request;
  return mapMaybe(objects.get(pods, { namespace, name }), (pod) => {
    if (pod === undefined) throw objectNotFound('pod', name);
    if (nodeNameOf(pod) === node) return;
    throw admissionForbidden(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  });
}

export function refusePodSubresource({ request }: NodeRequest): never {
  const only = `only 'status' and 'eviction' are allowed`;
  throw admissionForbidden(request, `unexpected pod subresource ${goQuote(request.subresource)}, ${only}`);
}

export function nodeNameOf(object: ResourceObject | undefined): string | undefined {
  return ((object?.spec ?? {}) as { nodeName?: string }).nodeName;
}
