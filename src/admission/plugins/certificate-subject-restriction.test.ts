import { expect, it } from 'vitest';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };
const { validate } = certificateSubjectRestriction((request) => request.split(','));

function validation(signerName: string, request: string) {
  return () =>
    validate?.(
      testRequest(testTarget('certificates.k8s.io/certificatesigningrequests', 'CertificateSigningRequest'), {
        namespace: '',
        object: { metadata: { name: 'a' }, spec: { signerName, request } },
      }),
      nothing,
    );
}

it('rejects certificates of system:masters', () => {
  expect(validation('kubernetes.io/kube-apiserver-client', 'other,system:masters')).toThrow(
    'certificatesigningrequests.certificates.k8s.io "a" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  );
});

it.each([
  ['kubernetes.io/kube-apiserver-client', 'other'],
  ['example.com/own', 'system:masters'],
])('lets %s sign for %s', (signer, request) => {
  expect(validation(signer, request)).not.toThrow();
});
