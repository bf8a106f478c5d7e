import type { Authorizer } from '../../../authz/index.ts';
import { goQuote } from '../../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { AdmissionRequest } from '../../admission-request.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import { type NodeRequest, objectNotFound, pods } from './node-request.ts';
import { nodeNameOf } from './own-pods.ts';
import { podRequestsAudience } from './token-audience.ts';

interface TokenSpec {
  readonly audiences?: readonly string[] | null;
  readonly boundObjectRef?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
  } | null;
}

/** A node may request tokens only for pods that run on it, bound to them and for the audiences that they need. */
export function checkToken(nodeRequest: NodeRequest, authorizer: Authorizer): MaybePromise<void> {
  const { node, request, objects } = nodeRequest;
  const { boundObjectRef: bound } = (request.object.spec ?? {}) as TokenSpec;
  if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name) {
    throw admissionForbidden(request, 'node requested token not bound to a pod');
  }
  const { name, uid } = bound;
  if (!uid) throw admissionForbidden(request, 'node requested token with a pod binding without a uid');
  return mapMaybe(objects.get(pods, { namespace: request.namespace, name }), (pod) => {
    if (pod === undefined) throw objectNotFound('pod', name);
    if (uid !== pod.metadata.uid) {
      const recreated = 'The object might have been deleted and then recreated';
      const detail = `the UID in the bound object reference (${uid}) does not match the UID in record. ${recreated}`;
      throw admissionForbidden(request, detail);
    }
    if (nodeNameOf(pod) !== node) {
      throw admissionForbidden(request, 'node requested token bound to a pod scheduled on a different node');
    }
    return checkAudience(nodeRequest, pod, authorizer);
  });
}

function checkAudience({ request, objects }: NodeRequest, pod: ResourceObject, authorizer: Authorizer) {
  const { audiences } = (request.object.spec ?? {}) as TokenSpec;
  if ((audiences?.length ?? 0) > 1) throw admissionForbidden(request, 'node may only request 0 or 1 audiences');
  const audience = audiences?.[0] ?? '';
  return mapMaybe(podRequestsAudience(objects, pod, audience), (check) => {
    if (check.isWanted) return;
    if (check.problem !== '') {
      throw admissionForbidden(request, `error validating audience ${goQuote(audience)}: ${check.problem}`);
    }
    return checkPermission(request, audience, authorizer);
  });
}

/** Administrators may grant nodes further audiences. */
function checkPermission(request: AdmissionRequest, audience: string, authorizer: Authorizer): MaybePromise<void> {
  const { user, namespace, name } = request;
  const resource = { group: '', version: 'v1', resource: audience, subresource: '', namespace, name };
  const verb = 'request-serviceaccounts-token-audience';
  return mapMaybe(authorizer.authorize({ user, verb, resource }), ({ decision, error }) => {
    if (decision === 'allow') return;
    const notFound = `audience ${goQuote(audience)} not found in pod spec volume`;
    if (error === undefined) {
      throw admissionForbidden(
        request,
        `${notFound}, ${user.name} is not authorized to request tokens for this audience`,
      );
    }
    const failed = `error authorizing ${user.name} to request tokens for this audience: ${error.message}`;
    throw admissionForbidden(request, `${notFound}, ${failed}`);
  });
}
