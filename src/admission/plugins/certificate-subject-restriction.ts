import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';

const signer = 'kubernetes.io/kube-apiserver-client';
const masters = 'system:masters';

/** Rejects requests for client certificates of `system:masters`. The organizations of a certificate are its groups. */
export function certificateSubjectRestriction(
  organizationsOf: (request: string) => readonly string[],
): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    rules: [{ operations: ['CREATE'], resources: ['certificates.k8s.io/certificatesigningrequests'] }],
    validate(request) {
      const spec = (request.object.spec ?? {}) as { signerName?: string; request?: string };
      if (spec.signerName !== signer) return;
      if (!organizationsOf(spec.request ?? '').includes(masters)) return;
      throw admissionForbidden(request, `use of ${signer} signer with ${masters} group is not allowed`);
    },
  };
}
