import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { defineVersion, deprecationText } from '../define-version.ts';
import { deriveVersion } from '../derive-version.ts';
import { textFields } from '../select-field.ts';
import { certificateSigningRequestRules } from './certificate-signing-request-rules.ts';
import { CertificateSigningRequest } from './certificate-signing-request-types.ts';
import { clusterTrustBundleRules } from './cluster-trust-bundle-rules.ts';
import { ClusterTrustBundle } from './cluster-trust-bundle-types.ts';
import { podCertificateRequestRules } from './pod-certificate-request-rules.ts';
import { PodCertificateRequest } from './pod-certificate-request-types.ts';

/**
 * The `certificates.k8s.io` group: certificate requests and trust bundles. Clients and `controllers` approve and sign
 * requests.
 */
const v1 = { group: 'certificates.k8s.io', version: 'v1' };
const v1beta1 = { group: 'certificates.k8s.io', version: 'v1beta1' };

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

const clusterTrustBundles = defineResource(v1beta1, 'clustertrustbundles', {
  schema: ClusterTrustBundle,
  scope: 'cluster',
  unconditionalUpdate: false,
  deprecation: deprecationText(v1beta1, 'ClusterTrustBundle', { since: 36, unavailable: 39 }),
  fieldSelectors: {
    fields: textFields('spec.signerName'),
    refusal: 'notSupported',
    metadataNamespace: false,
  },
  ...clusterTrustBundleRules,
});

export const optionalCertificatesResources: readonly ResourceDefinition[] = [
  clusterTrustBundles,
  defineVersion(clusterTrustBundles, {
    version: 'v1alpha1',
    schema: deriveVersion({ from: 'certificates/v1beta1', to: 'certificates/v1alpha1' })(ClusterTrustBundle),
    deprecated: { since: 34, unavailable: 37 },
  }),
  defineResource(v1beta1, 'podcertificaterequests', {
    schema: PodCertificateRequest,
    subresources: [status],
    unconditionalUpdate: false,
    fieldSelectors: {
      fields: textFields('spec.signerName', 'spec.podName', 'spec.nodeName'),
      refusal: 'notSupported',
      indexed: ['spec.nodeName', 'spec.signerName'],
    },
    ...podCertificateRequestRules,
  }),
];
