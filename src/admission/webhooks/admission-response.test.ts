import { describe, expect, it } from 'vitest';
import { InvalidResponse, readAdmissionResponse } from './admission-response.ts';

const type = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' };
const expected = { version: 'v1', uid: 'u', isMutating: true } as const;
const read = (response: unknown, more: object = {}) =>
  readAdmissionResponse({ ...type, response }, { ...expected, ...more });

describe('the response of a webhook', () => {
  it('has defaults', () => {
    expect(read({ uid: 'u', allowed: null, status: null, warnings: null })).toEqual({
      allowed: false,
      result: undefined,
      patch: undefined,
      patchType: '',
      auditAnnotations: [],
      warnings: [],
    });
  });

  it('is read completely', () => {
    const details = { name: 'n', group: 'g', kind: 'k', uid: 'i', causes: [{ field: 'f' }], retryAfterSeconds: 3 };
    const status = { message: 'm', reason: 'r', code: 409, details, other: 1 };
    const patch = { patch: Buffer.from('[]').toString('base64'), patchType: 'JSONPatch' };
    const lists = { warnings: ['w'], auditAnnotations: { a: 'b' } };
    expect(read({ uid: 'u', allowed: true, status, ...patch, ...lists })).toEqual({
      allowed: true,
      result: { message: 'm', reason: 'r', code: 409, details },
      patch: Buffer.from('[]'),
      patchType: 'JSONPatch',
      auditAnnotations: [['a', 'b']],
      warnings: ['w'],
    });
  });

  it.each<[response: object, problem: string]>([
    [{ uid: 'v' }, 'expected response.uid="u", got "v"'],
    [{ uid: 'u', patch: 'W10=' }, 'webhook returned response.patch but not response.patchType'],
    [{ uid: 'u', patchType: 'JSONPatch' }, 'webhook returned response.patchType but not response.patch'],
    [{ uid: 'u', patch: 'W10=', patchType: '' }, 'webhook returned invalid response.patchType of ""'],
  ])('%j is invalid', (response, problem) => {
    expect(() => read(response)).toThrow(new InvalidResponse(problem));
  });

  it.each<[response: unknown, problem: string]>([
    [[], 'json: cannot unmarshal array into Go struct field AdmissionReview.response of type object'],
    [{ uid: 7 }, 'json: cannot unmarshal number into Go struct field AdmissionReview.response.uid of type string'],
    [
      { warnings: ['a', {}] },
      'json: cannot unmarshal object into Go struct field AdmissionReview.response.warnings of type string',
    ],
    [
      { auditAnnotations: { a: 1 } },
      'json: cannot unmarshal number into Go struct field AdmissionReview.response.auditAnnotations.a of type string',
    ],
    [
      { status: { code: 'x' } },
      'json: cannot unmarshal string into Go struct field AdmissionReview.response.status.code of type int32',
    ],
    [
      { status: { details: { causes: {} } } },
      'json: cannot unmarshal object into Go struct field AdmissionReview.response.status.details.causes of type []v1.StatusCause',
    ],
    [{ patch: '!' }, 'illegal base64 data at input byte 0'],
    [{ patch: 'abc' }, 'illegal base64 data at input byte 3'],
  ])('%j cannot be read', (response, problem) => {
    expect(() => read(response)).toThrow(problem);
    expect(() => read(response)).not.toThrow(InvalidResponse);
  });

  it('needs no uid and no patch type in v1beta1, and a validating webhook may patch in vain', () => {
    const response = { allowed: true, patch: 'W10=' };
    const beta = { version: 'v1beta1', uid: 'u' } as const;
    expect(readAdmissionResponse({ response }, { ...beta, isMutating: true })).toMatchObject({
      patch: Buffer.from('[]'),
      patchType: 'JSONPatch',
    });
    expect(readAdmissionResponse({ response }, { ...beta, isMutating: false }).patch).toBeUndefined();
  });

  it('must be of a known type', () => {
    const other = { kind: 'Pod', apiVersion: 'v1', response: { uid: 'u' } };
    expect(() => readAdmissionResponse(other, expected)).toThrow('no kind "Pod" is registered for version "v1"');
  });
});
