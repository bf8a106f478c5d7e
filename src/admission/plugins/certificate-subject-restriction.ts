import type { AdmissionPlugin } from '../admission-plugin.ts';
import { refused } from './refused.ts';

const signer = 'kubernetes.io/kube-apiserver-client';
const masters = 'system:masters';

/** Nobody gets a certificate that is allowed everything. The organizations of a request for one are its groups. */
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
      throw refused(request, `use of ${signer} signer with ${masters} group is not allowed`);
    },
  };
}
