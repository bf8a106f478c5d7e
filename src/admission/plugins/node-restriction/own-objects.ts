import { admissionForbidden } from '../admission-forbidden.ts';
import type { NodeRequest } from './node-request.ts';
import { nodeNameOf } from './own-pods.ts';

const leases = 'kube-node-lease';
const signers: ReadonlySet<string | undefined> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

export function checkLease({ node, request }: NodeRequest): void {
  if (request.namespace !== leases)
    throw admissionForbidden(request, `can only access leases in the "${leases}" system namespace`);
  if (request.name === node) return;
  throw admissionForbidden(request, 'can only access node lease with the same name as the requesting node');
}

export function checkCsiNode({ node, request }: NodeRequest): void {
  if (request.name === node) return;
  throw admissionForbidden(request, 'can only access CSINode with the same name as the requesting node');
}

/** Only creates are checked here: the authorizer checks writes to existing slices. */
export function checkResourceSlice({ node, request }: NodeRequest): void {
  const { operation, object, oldObject } = request;
  if (operation === 'CREATE' && nodeNameOf(object) !== node) {
    throw admissionForbidden(request, 'can only create ResourceSlice with the same NodeName as the requesting node');
  }
  if (operation === 'DELETE' && nodeNameOf(oldObject) !== node) {
    throw admissionForbidden(request, 'can only delete ResourceSlice with the same NodeName as the requesting node');
  }
}

/** A node may request certificates only for itself. `commonNameOf` throws for a request that cannot be parsed. */
export function checkCertificateRequest(
  { node, request }: NodeRequest,
  commonNameOf: (request: string) => string,
): void {
  const { signerName, request: sent = '' } = (request.object.spec ?? {}) as { signerName?: string; request?: string };
  if (request.operation !== 'CREATE' || !signers.has(signerName)) return;
  let commonName: string;
  try {
    commonName = commonNameOf(sent);
  } catch (error) {
    throw admissionForbidden(request, `unable to parse csr: ${(error as Error).message}`);
  }
  if (commonName === `system:node:${node}`) return;
  throw admissionForbidden(request, `can only create a node CSR with CN=system:node:${node}`);
}
