import type { TypeTexts } from './type-texts.ts';

export const certificatesV1beta1: TypeTexts = {
  ClusterTrustBundle: {
    '': 'CA certificates that pods can mount. Everyone who is authenticated may read them.',
    spec: 'The signer and the certificates.',
  },
  ClusterTrustBundleSpec: {
    '': 'CA certificates, perhaps of a signer.',
    signerName:
      'The signer that the bundle belongs to; its name must then begin with that of the signer. It cannot be ' +
      'changed. Empty: none.',
    trustBundle: 'CA certificates in PEM, at most 1 MiB. Their order has no meaning.',
  },
  PodCertificateRequest: {
    '': 'Asks for a certificate for a pod. The kubelet of its node makes it.',
    spec: 'The requested certificate and the pod that it is for. It cannot be changed.',
    status: 'The decision and the certificate.',
  },
  PodCertificateRequestSpec: {
    '': 'A certificate for a pod.',
    signerName: 'The signer that should issue the certificate.',
    podName: 'Name of the pod.',
    podUID: 'UID of the pod.',
    serviceAccountName: 'Name of the service account of the pod.',
    serviceAccountUID: 'UID of the service account.',
    nodeName: 'Name of the node of the pod.',
    nodeUID: 'UID of the node.',
    maxExpirationSeconds:
      'The longest lifetime in seconds, 3600 to 7862400. The signer may choose less. Default 86400.',
    pkixPublicKey: 'Deprecated; use `stubPKCS10Request`. The public key in PKIX form, as base64.',
    proofOfPossession: 'Deprecated; use `stubPKCS10Request`. The pod UID, signed with the private key, as base64.',
    stubPKCS10Request:
      'A PKCS #10 request in DER, as base64, which carries the public key and proves possession of the private one.',
    unverifiedUserAnnotations: 'Keys and values from the pod for the signer. The server does not check what they say.',
  },
  PodCertificateRequestStatus: {
    '': 'The answer to a request.',
    conditions: 'The decision: Issued, Denied or Failed. Once made it cannot be changed.',
    certificateChain: 'The certificate and its intermediates in PEM.',
    notBefore: 'When the certificate becomes valid. It must agree with the certificate.',
    beginRefreshAt: 'When the kubelet should begin to renew it.',
    notAfter: 'When the certificate expires. It must agree with the certificate.',
  },
};
