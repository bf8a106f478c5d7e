import { goQuote } from '../../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import { type NodeRequest, nodes, objectNotFound, pods } from './node-request.ts';
import { nodeNameOf } from './own-pods.ts';

const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
const mirror = 'kubernetes.io/config.mirror';

interface RequestSpec {
  readonly podName?: string;
  readonly podUID?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountUID?: string;
  readonly nodeName?: string;
  readonly nodeUID?: string;
}

/** A node may request certificates only for pods that run on it, with their true identity. */
export function checkPodCertificateRequest(nodeRequest: NodeRequest): MaybePromise<void> {
  const { node, request, objects } = nodeRequest;
  if (request.operation !== 'CREATE')
    throw admissionForbidden(request, `unexpected operation ${goQuote(request.operation)}`);
  const spec = (request.object.spec ?? {}) as RequestSpec;
  const { nodeName = '', nodeUID = '', podName = '' } = spec;
  if (nodeName !== node) {
    const detail = `which is not the requesting node ${goQuote(node)}`;
    throw admissionForbidden(request, `PodCertificateRequest.Spec.NodeName=${goQuote(nodeName)}, ${detail}`);
  }
  return mapMaybe(objects.get(nodes, { namespace: '', name: node }), (found) => {
    if (found === undefined) throw objectNotFound('node', node);
    checkUid(nodeRequest, { found, kind: 'node', uid: nodeUID });
    return mapMaybe(objects.get(pods, { namespace: request.namespace, name: podName }), (pod) => {
      if (pod === undefined) throw objectNotFound('pod', podName);
      return checkOfPod(nodeRequest, pod, spec);
    });
  });
}

function checkOfPod(nodeRequest: NodeRequest, pod: ResourceObject, spec: RequestSpec): MaybePromise<void> {
  const { node, request, objects } = nodeRequest;
  const { podName = '', podUID = '', serviceAccountName: name = '', serviceAccountUID = '' } = spec;
  checkUid(nodeRequest, { found: pod, kind: 'pod', uid: podUID });
  const about = `PodCertificateRequest for pod ${goQuote(podName)}`;
  if (Object.hasOwn(pod.metadata.annotations ?? {}, mirror))
    throw admissionForbidden(request, `${about} is for a mirror pod`);
  if (nodeNameOf(pod) !== node)
    throw admissionForbidden(request, `${about} is for a pod that does not run on node ${goQuote(node)}`);
  const { serviceAccountName = '' } = (pod.spec ?? {}) as { serviceAccountName?: string };
  if (serviceAccountName !== name) {
    const detail = `that differs from running pod ${goQuote(serviceAccountName)}`;
    throw admissionForbidden(request, `${about} contains serviceAccountName ${goQuote(name)} ${detail}`);
  }
  return mapMaybe(objects.get(serviceAccounts, { namespace: request.namespace, name }), (account) => {
    if (account === undefined) throw objectNotFound('serviceaccount', name);
    checkUid(nodeRequest, { found: account, kind: 'serviceAccount', uid: serviceAccountUID });
  });
}

function checkUid(
  { request }: NodeRequest,
  { found, kind, uid }: { readonly found: ResourceObject; readonly kind: string; readonly uid: string },
): void {
  const known = found.metadata.uid ?? '';
  if (uid === known) return;
  const detail = `contains ${kind}UID ${goQuote(uid)} that differs from the UID in record ${goQuote(known)}`;
  throw admissionForbidden(request, `PodCertificateRequest ${detail}`);
}
