import { configMapNames, secretNames } from '../../../authz/node/index.ts';
import { goQuote } from '../../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { AdmissionRequest } from '../../admission-request.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import { type NodeRequest, nodes, objectNotFound } from './node-request.ts';

const annotation = 'kubernetes.io/config.mirror';

/**
 * A node may create only mirror pods, which show what it runs anyway. They are bound to it and refer to no other API
 * objects.
 */
export function checkMirrorPod({ node, request, objects }: NodeRequest): MaybePromise<void> {
  const { object: pod } = request;
  const subject = `node ${goQuote(node)}`;
  if (!Object.hasOwn(pod.metadata.annotations ?? {}, annotation)) {
    const detail = `pod does not have ${goQuote(annotation)} annotation, ${subject} can only create mirror pods`;
    throw admissionForbidden(request, detail);
  }
  const { nodeName } = (pod.spec ?? {}) as { nodeName?: string };
  if (nodeName !== node)
    throw admissionForbidden(request, `${subject} can only create pods with spec.nodeName set to itself`);
  const uid = ownerUid(node, request);
  return mapMaybe(objects.get(nodes, { namespace: '', name: node }), (found) => {
    if (found === undefined) throw objectNotFound('node', node);
    if (found.metadata.uid !== uid) {
      throw admissionForbidden(request, `node ${node} UID mismatch: expected ${uid} got ${found.metadata.uid}`);
    }
    const reference = apiReference(request, pod);
    if (reference !== undefined)
      throw admissionForbidden(request, `${subject} can not create pods that reference ${reference}`);
  });
}

/** The uid of the node that owns the pod. */
function ownerUid(node: string, request: AdmissionRequest): string {
  const { ownerReferences: owners = [] } = request.object.metadata;
  const can = `node ${goQuote(node)} can only create pods with`;
  if (owners.length > 1) throw admissionForbidden(request, `${can} a single owner reference set to itself`);
  const [owner] = owners;
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    throw admissionForbidden(request, `${can} an owner reference set to itself`);
  }
  if (!owner.controller) throw admissionForbidden(request, `${can} a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion) {
    throw admissionForbidden(request, `node ${goQuote(node)} must not set blockOwnerDeletion on an owner reference`);
  }
  return owner.uid;
}

const ofVolume: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
};
const ofProjection: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
};

interface PodSpec {
  readonly serviceAccountName?: string;
  readonly resourceClaims?: readonly unknown[];
  readonly volumes?: readonly Volume[];
}

interface Volume extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly projected?: { readonly sources?: readonly Readonly<Record<string, unknown>>[] | null };
}

/** The kind of API object that the pod refers to. Undefined when there is none. */
function apiReference(request: AdmissionRequest, pod: ResourceObject): string | undefined {
  const { serviceAccountName, resourceClaims = [], volumes = [] } = (pod.spec ?? {}) as PodSpec;
  if (serviceAccountName) return 'serviceaccounts';
  if (secretNames(pod).size > 0) return 'secrets';
  if (configMapNames(pod).size > 0) return 'configmaps';
  if (resourceClaims.length > 0) return 'resourceclaims';
  for (const { name, projected, ...sources } of volumes) {
    const reference = named(ofVolume, sources);
    if (reference !== undefined) return reference;
    for (const source of projected?.sources ?? []) {
      const projection = named(ofProjection, source);
      if (projection !== undefined) return projection;
      if (source.downwardAPI) continue;
      const unknown = `unknown source for projected volume ${goQuote(name)}`;
      throw admissionForbidden(request, `error checking mirror pod for API references: ${unknown}`);
    }
  }
  return undefined;
}

function named(references: Readonly<Record<string, string>>, source: Readonly<Record<string, unknown>>) {
  const key = Object.keys(references).find((kind) => source[kind] !== undefined && source[kind] !== null);
  return key && references[key];
}
