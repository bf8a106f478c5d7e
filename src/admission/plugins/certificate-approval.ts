import type { Authorizer } from '../../authz/index.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { requireSignerPermission } from './signer-permission.ts';

/** Requests for certificates are approved and denied by those who may do so for the signer. */
export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    rules: [{ operations: ['UPDATE'], resources: ['certificates.k8s.io/certificatesigningrequests/approval'] }],
    validate: (request) => requireSignerPermission(authorizer, request, 'approve'),
  };
}
