import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { textFields } from '../select-field.ts';
import { certificateSigningRequestRules } from './certificate-signing-request-rules.ts';
import { CertificateSigningRequest } from './certificate-signing-request-types.ts';

/** The `certificates.k8s.io` group: requests for certificates. Approving and signing is done by clients. */
const v1 = { group: 'certificates.k8s.io', version: 'v1' };

export const certificatesResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'certificatesigningrequests', {
    schema: CertificateSigningRequest,
    scope: 'cluster',
    shortNames: ['csr'],
    subresources: [{ name: 'approval' }, status],
    name: 'pathSegment',
    ...certificateSigningRequestRules,
    fieldSelectors: {
      fields: textFields('spec.signerName'),
      refusal: 'notSupported',
      metadataNamespace: false,
    },
  }),
];
