import { expect } from 'vitest';
import type { CorpusEntry } from './corpus-entry.ts';

/** A request of the user reader in the group corpus, with a P-256 key that does not exist any more. */
export const request = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZU1JR0VBZ0VBTUNJeER6QU5CZ05WQkFvTUJtTnZjbkIxY3pF',
  'UE1BMEdBMVVFQXd3R2NtVmhaR1Z5TUZrdwpFd1lIS29aSXpqMENBUVlJS29aSXpqMERBUWNEUWdBRVBTUkdrRU1aR2Q4ajRkbzZJ',
  'cGVheEFEMW10QWdvbGtxCmZYdjMrdE5kSXljWUtEZmFWcHZZbndkczdBMnVKRFIvNkFoV3dOQ0dkcXdZdEtHc1V0Rk93cUFBTUFv',
  'R0NDcUcKU000OUJBTUNBMGtBTUVZQ0lRRHNPdE1ET2pCVk9UY1FWT1Q1MnB2UTRLSXN6WksvckZIVVg0a2VLQ0xwNEFJaApBTjE2',
  'dE5MMW1rd2l5S09HWXFtVlYrTU9LYjFONnVqNk5QcktvSTF2dXNURQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
].join('');
/** The user that created the request, and the certificate that identified the user. */
const requester = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
};
const pem = (type: string) => Buffer.from(`-----BEGIN ${type}-----\nMAA=\n-----END ${type}-----\n`).toString('base64');
/** The same request with a different last byte of the signature. */
const forged = Buffer.from(Buffer.from(request, 'base64').toString().replace('vusTE\n', 'vusTF\n')).toString('base64');

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'reader' },
          spec: { request, signerName: 'example.org/readers', usages: ['client auth'] },
        },
        expected: {
          spec: { request, signerName: 'example.org/readers', usages: ['client auth'], ...requester },
          status: {},
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'Reader:2' },
          spec: {
            request,
            signerName: 'example.org/team.readers',
            expirationSeconds: 600,
            usages: ['digital signature', 's/mime'],
          },
          status: { certificate: 'eA==' },
        },
        expected: {
          spec: {
            request,
            signerName: 'example.org/team.readers',
            expirationSeconds: 600,
            usages: ['digital signature', 's/mime'],
            ...requester,
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' }, spec: {} },
        errors: [
          'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST',
          'spec.usages: Required value',
          'spec.signerName: Required value',
        ],
      },
      {
        name: 'a key in place of a request',
        object: {
          metadata: { name: 'bad' },
          spec: { request: pem('PUBLIC KEY'), signerName: 'example/x', usages: ['any'], expirationSeconds: 0 },
        },
        errors: [
          `spec.request: Invalid value: "${pem('PUBLIC KEY')}": PEM block type must be CERTIFICATE REQUEST`,
          'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
          'spec.expirationSeconds: Invalid value: 0: may not specify a duration less than 600 seconds (10 minutes)',
        ],
      },
      {
        name: 'a request that its key did not sign',
        object: {
          metadata: { name: 'bad' },
          spec: { request: forged, signerName: 'example.org/x/y', usages: ['any', 'any'] },
        },
        errors: [
          `spec.request: Invalid value: "${forged}": x509: ECDSA verification failure`,
          'spec.usages[1]: Duplicate value: "any"',
          'spec.signerName: Invalid value: "example.org/x/y": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
        ],
      },
    ],
  },
];
