import type { TypeTexts } from './type-texts.ts';

export const certificatesV1: TypeTexts = {
  CertificateSigningRequest: {
    '': 'Asks for a certificate, which is to be approved and then signed.',
    spec: 'The request. It cannot be changed.',
    status: 'Whether it is approved, and the certificate.',
  },
  CertificateSigningRequestCondition: {
    '': 'A decision about a request, or its failure.',
    type:
      'Approved, Denied or Failed. Approved and Denied are made through the `approval` subresource and exclude each ' +
      'other.',
    status: 'True. Approved, Denied and Failed cannot be False or Unknown.',
    reason: 'Why, as one CamelCase word.',
    message: 'Details for people.',
    lastUpdateTime: 'When the condition was last written.',
    lastTransitionTime: 'When `status` last changed.',
  },
  CertificateSigningRequestSpec: {
    '': 'The certificate to sign, the signer and the requester.',
    request: 'A PKCS #10 request in PEM, as base64.',
    signerName: 'Who should sign, such as `kubernetes.io/kube-apiserver-client`.',
    expirationSeconds: 'Requested lifetime in seconds, at least 600. The signer may choose another.',
    usages: 'What the certificate may be used for, such as `client auth` or `server auth`.',
    username: 'Name of the user who made the request. Set by the server.',
    uid: 'ID of the user who made the request. Set by the server.',
    groups: 'Groups of the user who made the request. Set by the server.',
    extra: 'Further information about the user who made the request. Set by the server.',
  },
  CertificateSigningRequestStatus: {
    '': 'State of a certificate request.',
    conditions: 'Decisions about the request.',
    certificate: 'The issued certificate and its chain in PEM, as base64. Once set it cannot be changed.',
  },
};
