import type { Authorizer } from '../../authz/index.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { requireSignerPermission } from './signer-permission.ts';

/** Only users with the `approve` permission for the signer may approve or deny certificate requests. */
export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    rules: [{ operations: ['UPDATE'], resources: ['certificates.k8s.io/certificatesigningrequests/approval'] }],
    validate: (request) => requireSignerPermission(authorizer, request, 'approve'),
  };
}
