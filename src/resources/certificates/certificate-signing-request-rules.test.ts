import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import { certificateSigningRequestRules as rules } from './certificate-signing-request-rules.ts';
import type { CertificateSigningRequestStatus } from './certificate-signing-request-types.ts';

const request = (status: CertificateSigningRequestStatus, spec: object = {}): ResourceObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'r' },
  spec,
  status,
});

const approved = { type: 'Approved', status: 'True', lastUpdateTime: 'then', lastTransitionTime: 'then' };

/** Omits the errors of the request itself, which is empty here. */
function statusErrors(errors: ReturnType<NonNullable<typeof rules.validate>> | undefined): string[] {
  return (errors ?? []).filter(({ field }) => field.startsWith('status')).map(fieldErrorText);
}

describe('a status update', () => {
  function written(next: CertificateSigningRequestStatus, oldStatus: CertificateSigningRequestStatus) {
    const object = request(next);
    rules.prepareStatusUpdate!(object, request(oldStatus));
    return { object, errors: statusErrors(rules.validateStatus!(object, request(oldStatus))) };
  }

  it('keeps the stored decision', () => {
    const { object, errors } = written(
      { conditions: [{ type: 'Approved', status: 'True' }] },
      { conditions: [approved] },
    );
    expect(object.status).toEqual({ conditions: [approved] });
    expect(errors).toEqual([]);
  });

  it('sets the times of a new condition', () => {
    const { object, errors } = written({ conditions: [{ type: 'Failed', status: 'True' }] }, {});
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(object.status).toEqual({
      conditions: [{ type: 'Failed', status: 'True', lastUpdateTime: time, lastTransitionTime: time }],
    });
    expect(errors).toEqual([]);
  });

  it.each<[string, CertificateSigningRequestStatus, CertificateSigningRequestStatus, string]>([
    [
      'decide',
      { conditions: [{ type: 'Denied', status: 'True' }] },
      {},
      'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
    ],
    [
      'take a decision back',
      {},
      { conditions: [approved] },
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ],
    [
      'issue what is no certificate',
      { certificate: 'eA==' },
      {},
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ],
  ])('may not %s', (_what, next, oldStatus, error) => {
    expect(written(next, oldStatus).errors).toEqual([error]);
  });
});

describe('an approval update', () => {
  const { prepare, validate } = rules.subresourceRules!.approval!;

  it('changes conditions only', () => {
    const next = prepare(request({ conditions: [approved], certificate: 'eA==' }, { changed: true }), request({}));
    expect(next.spec).toEqual({});
    expect(next.status).toEqual({ conditions: [approved] });
    expect(statusErrors(validate!(next, request({})))).toEqual([]);
  });

  it('cannot change a decision', () => {
    const both = { conditions: [approved, { ...approved, type: 'Denied' }] };
    const next = prepare(request(both), request({ conditions: [approved] }));
    expect(statusErrors(validate!(next, request({ conditions: [approved] })))).toEqual([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
  });
});

describe('the requester of a certificate', () => {
  const claimed = { signerName: 's', username: 'admin', uid: '1', groups: ['g'], extra: { a: ['b'] } };

  it.each<[string, UserInfo, object]>([
    [
      'all that is known of the caller',
      { name: 'u', uid: '2', groups: ['h'], extra: { y: ['1'], x: ['2'] } },
      { username: 'u', uid: '2', groups: ['h'], extra: { x: ['2'], y: ['1'] } },
    ],
    ['nothing that is not known', { name: 'u', uid: '', groups: [], extra: {} }, { username: 'u' }],
  ])('is %s, whatever the client sends', (_what, user, expected) => {
    const object = request({}, claimed);
    rules.prepareCreate!(object, user);
    expect(JSON.stringify(object.spec)).toBe(JSON.stringify({ signerName: 's', ...expected }));
  });
});
