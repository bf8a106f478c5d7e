import { expect, it } from 'vitest';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { serverUser } from '../../meta/user.ts';
import type { AdmissionRequest } from '../admission-plugin.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };
const { validate } = certificateSubjectRestriction((request) => request.split(','));

function asked(signerName: string, request: string, operation: AdmissionRequest['operation'] = 'CREATE') {
  return () =>
    validate?.(
      {
        operation,
        group: 'certificates.k8s.io',
        version: 'v1',
        resource: 'certificatesigningrequests',
        subresource: '',
        namespace: '',
        name: 'a',
        object: { metadata: { name: 'a' }, spec: { signerName, request } },
        stored: undefined,
        user: serverUser,
        dryRun: false,
        warn: () => {},
      },
      nothing,
    );
}

it('refuses certificates that are allowed everything', () => {
  expect(asked('kubernetes.io/kube-apiserver-client', 'other,system:masters')).toThrow(
    'certificatesigningrequests.certificates.k8s.io "a" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  );
});

it.each([
  ['kubernetes.io/kube-apiserver-client', 'other', 'CREATE'],
  ['example.com/own', 'system:masters', 'CREATE'],
  ['kubernetes.io/kube-apiserver-client', 'system:masters', 'UPDATE'],
] as const)('lets %s sign for %s on %s', (signer, request, operation) => {
  expect(asked(signer, request, operation)).not.toThrow();
});
