import { corpus as requests } from './certificates.ts';
import type { CorpusEntry } from './corpus-entry.ts';

const certificate = (body: string): string => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
/** The certificate of a CA, and one of a client that is not a CA. Their private keys do not exist any more. */
const authority = certificate(
  [
    'MIIBeDCCAR+gAwIBAgIUdCyHcYTmvN+R2NHUE4uh6YFPQXAwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGQ29ycHVzMCAXDTI2MTEx',
    'NTE3MjkxNFoYDzIxMjYxMDIyMTcyOTE0WjARMQ8wDQYDVQQDDAZDb3JwdXMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATvLxpx',
    'LSq27hG0AH/1drLnYExB9wOW/LAioTXARwr/AbwH4+6pBekvOPniiDf+W9xCxplK+qUCzkDjFyQ6pvTZo1MwUTAdBgNVHQ4EFgQU',
    'xNeKpVruXJmL7LkZf0/uZRkpbcswHwYDVR0jBBgwFoAUxNeKpVruXJmL7LkZf0/uZRkpbcswDwYDVR0TAQH/BAUwAwEB/zAKBggq',
    'hkjOPQQDAgNHADBEAiA7tUL1Rw/KhUtXNerPu2T1xbD1/cP8a5b5EfIfLUP6cwIgTgxa/mkESiN/1E6t7HnjEJQTEkd9ltf1MOTR',
    'AddqJbw=',
  ].join(''),
);
const leaf = certificate(
  [
    'MIIBcTCCARigAwIBAgIUWtdeLmm0rrAzxhurPfHs0M0Hiz0wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwETGVhZjAgFw0yNjExMTUx',
    'NzI5MTRaGA8yMTI2MTAyMjE3MjkxNFowDzENMAsGA1UEAwwETGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDGg023wFKPV',
    'Ws/SrRd1jlC7moBQHKSIEjqU19IPa0kMNMhKngoz1hfSOyZb1weKEcftpnshSStYNaMeWuvyk92jUDBOMB0GA1UdDgQWBBTrL8RN',
    '5v2N2mE2v8IEOyzOs7C7kzAfBgNVHSMEGDAWgBTrL8RN5v2N2mE2v8IEOyzOs7C7kzAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMC',
    'A0cAMEQCIF21JiwuHb9fQ976mnkjYeqVXTv4M+JdZ5ZdtloWDxXeAiAekvfSihozD0rpz5peDC0IjGzSzBc6B+LZ5VEcQ9YM3g==',
  ].join(''),
);
const otherBlock = '-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n';
const omitted = 'Invalid value: "<value omitted>"';
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const bundles = (version: string): CorpusEntry => ({
  path: `/apis/certificates.k8s.io/${version}/clustertrustbundles`,
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'roots' }, spec: { trustBundle: authority } },
      expected: { spec: { trustBundle: authority } },
    },
    {
      name: 'of a signer',
      object: {
        metadata: { name: 'example.org:readers:one' },
        spec: { signerName: 'example.org/readers', trustBundle: `what is no block\n${authority}` },
      },
      expected: { spec: { signerName: 'example.org/readers', trustBundle: `what is no block\n${authority}` } },
    },
  ],
  invalid: [
    {
      name: 'nothing at all',
      object: { metadata: { name: 'a:b' }, spec: {} },
      errors: [
        'metadata.name: Invalid value: "a:b": ClusterTrustBundle without signer name must not have ":" in its name',
        `spec.trustBundle: ${omitted}: at least one trust anchor must be provided`,
      ],
    },
    {
      name: 'a name of another signer',
      object: { metadata: { name: 'roots' }, spec: { signerName: 'example.org/readers', trustBundle: authority } },
      errors: [
        'metadata.name: Invalid value: "roots": ClusterTrustBundle for signerName example.org/readers must be named with prefix example.org:readers:',
      ],
    },
    {
      name: 'a prefix for names of another signer',
      object: {
        metadata: { name: 'example.org:readers:two', generateName: 'two-' },
        spec: { signerName: 'example.org/readers', trustBundle: authority },
      },
      errors: [
        'metadata.generateName: Invalid value: "two-": ClusterTrustBundle for signerName example.org/readers must be named with prefix example.org:readers:',
      ],
    },
    {
      name: 'others than authorities',
      object: { metadata: { name: 'bad' }, spec: { trustBundle: `${otherBlock}${leaf}${certificate('MAA=')}` } },
      errors: [
        `spec.trustBundle: ${omitted}: entry 0 has bad block type: PUBLIC KEY`,
        `spec.trustBundle: ${omitted}: entry 1 does not have the CA bit set`,
        `spec.trustBundle: ${omitted}: entry 2 does not parse as X.509`,
      ],
    },
    {
      name: 'one twice',
      object: { metadata: { name: 'bad' }, spec: { trustBundle: `${authority}${authority}` } },
      errors: [`spec.trustBundle: ${omitted}: duplicate trust anchor (indices [0 1])`],
    },
  ],
});

/** The same request as a pod would send it: base64 of DER, without the lines around it. */
const signingRequest = (requests[0]!.valid[0]!.object.spec as { request: string }).request;
const stub = Buffer.from(signingRequest, 'base64').toString().split('\n').slice(1, -2).join('');
const places = {
  podName: 'web',
  podUID: 'pod-uid',
  serviceAccountName: 'default',
  serviceAccountUID: 'account-uid',
  nodeName: 'n1',
  nodeUID: 'node-uid',
};
/** An Ed25519 key with a signature of the UID of the pod. */
const proven = {
  pkixPublicKey: 'MCowBQYDK2VwAyEA14f73f8+q56i8RZ++jWTqloksKaRMc42bWo08nDmn7s=',
  proofOfPossession: '0lkxGToRJwdrtkBZkJXx3zh4+Mx9q82u3MtHavkJBNJyq13mp64FqNsiBYStq/XtaADQ5s2Ir5ywDJqV+rLLBw==',
};
const spec = { signerName: 'example.org/pods', ...places, stubPKCS10Request: stub };

export const corpus: CorpusEntry[] = [
  bundles('v1beta1'),
  bundles('v1alpha1'),
  {
    path: '/apis/certificates.k8s.io/v1beta1/namespaces/corpus/podcertificaterequests',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, spec },
        expected: {
          spec: { ...spec, maxExpirationSeconds: 86_400, pkixPublicKey: null, proofOfPossession: null },
          status: {},
        },
      },
      {
        name: 'rich, with a key of its own',
        object: {
          metadata: { name: 'rich' },
          spec: {
            signerName: 'example.org/pods',
            ...places,
            maxExpirationSeconds: 3600,
            ...proven,
            unverifiedUserAnnotations: { 'example.org/name': 'web' },
          },
          status: { certificateChain: 'x' },
        },
        expected: {
          spec: {
            signerName: 'example.org/pods',
            ...places,
            maxExpirationSeconds: 3600,
            ...proven,
            stubPKCS10Request: null,
            unverifiedUserAnnotations: { 'example.org/name': 'web' },
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
          'spec.signerName: Required value',
          `spec.podName: Invalid value: "": ${subdomain}`,
          'spec.podUID: Invalid value: "": must not be empty',
          `spec.serviceAccountName: Invalid value: "": ${subdomain}`,
          'spec.serviceAccountUID: Invalid value: "": must not be empty',
          `spec.nodeName: Invalid value: "": ${subdomain}`,
          'spec.nodeUID: Invalid value: "": must not be empty',
          'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
        ],
      },
      {
        name: 'both ways to prove a key, for too long',
        object: {
          metadata: { name: 'bad' },
          spec: { ...spec, signerName: 'kubernetes.io/x', maxExpirationSeconds: 86_401, ...proven },
        },
        errors: [
          'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
          'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
        ],
      },
      {
        name: 'a proof for another pod',
        object: {
          metadata: { name: 'bad' },
          spec: {
            signerName: 'example.org/pods',
            ...places,
            podUID: 'another',
            ...proven,
            unverifiedUserAnnotations: { name: 'x' },
          },
        },
        errors: [
          'spec.unverifiedUserAnnotations: Invalid value: "name": must be a domain-prefixed key (such as "acme.io/foo")',
          'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature',
        ],
      },
      {
        name: 'what is no request',
        object: { metadata: { name: 'bad' }, spec: { ...spec, stubPKCS10Request: 'MAA=' } },
        errors: ['spec.stubPKCS10Request: Invalid value: "MAA=": must be a valid PKCS#10 CSR'],
      },
    ],
  },
];
