import { describe, expect, it } from 'vitest';
import type { Attributes, Authorizer, Decision } from '../../authz/index.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { certificateApproval } from './certificate-approval.ts';
import { certificateSigning } from './certificate-signing.ts';

const nothing: ObjectReader = { get: () => undefined, list: () => [] };
const user = { name: 'jane', uid: '', groups: ['ops'], extra: {} };
const signerName = 'example.com/own';
const approved = { type: 'Approved', status: 'True' };
const failed = { type: 'Failed', status: 'True' };

interface Change {
  readonly before?: object;
  readonly after?: object;
  /** The signer that the request states. */
  readonly claimed?: string;
}

function requestFor(subresource: string, { before = {}, after = {}, claimed = signerName }: Change): AdmissionRequest {
  const path = `certificates.k8s.io/certificatesigningrequests/${subresource}`;
  return testRequest(testTarget(path, 'CertificateSigningRequest'), {
    operation: 'UPDATE',
    namespace: '',
    name: 'joe',
    object: { metadata: { name: 'joe' }, spec: { signerName: claimed }, status: after },
    oldObject: { metadata: { name: 'joe' }, spec: { signerName }, status: before },
    user,
  });
}

/** Allows the named permissions, and records its requests. */
function authorizerOf(decisions: Readonly<Record<string, Decision>>, { later = false } = {}) {
  const authorized: Attributes[] = [];
  const authorizer: Authorizer = {
    authorize(attributes) {
      authorized.push(attributes);
      const key = `${attributes.verb} ${attributes.resource?.name}`;
      const decision = decisions[key] ?? { decision: 'no-opinion', reason: '' };
      return later ? Promise.resolve(decision) : decision;
    },
  };
  return { authorizer, authorized };
}

const allow: Decision = { decision: 'allow', reason: '' };
const deny: Decision = { decision: 'deny', reason: 'no' };
const broken: Decision = { decision: 'no-opinion', reason: '', error: new Error('no answer') };

describe.each([
  {
    make: certificateApproval,
    subresource: 'approval',
    verb: 'approve',
    change: { after: { conditions: [approved] } },
  },
  { make: certificateSigning, subresource: 'status', verb: 'sign', change: { after: { certificate: 'eA==' } } },
])('$verb', ({ make, subresource, verb, change }) => {
  const refusal = `certificatesigningrequests.certificates.k8s.io "joe" is forbidden: user not permitted to ${verb} requests with signerName "example.com/own"`;
  const judged = async (plugin: AdmissionPlugin, request: AdmissionRequest) => plugin.validate?.(request, nothing);

  it('applies to its own subresource only', () => {
    expect(make(authorizerOf({}).authorizer).rules).toEqual([
      { operations: ['UPDATE'], resources: [`certificates.k8s.io/certificatesigningrequests/${subresource}`] },
    ]);
  });

  it.each<[string, Record<string, Decision>, isAllowed: boolean, questions: number]>([
    ['the signer', { [`${verb} example.com/own`]: allow }, true, 1],
    ['its domain', { [`${verb} example.com/*`]: allow }, true, 2],
    [
      'its domain, though the signer is denied',
      { [`${verb} example.com/own`]: deny, [`${verb} example.com/*`]: allow },
      true,
      2,
    ],
    ['nothing', {}, false, 2],
    ['another verb', { 'attest example.com/own': allow, 'attest example.com/*': allow }, false, 2],
    [
      'everything, as far as a broken authorizer can tell',
      { [`${verb} example.com/own`]: broken, [`${verb} example.com/*`]: allow },
      false,
      1,
    ],
    ['what a broken authorizer does not know', { [`${verb} example.com/*`]: broken }, false, 2],
  ])('is decided by the permission for %s', async (_what, decisions, isAllowed, questions) => {
    for (const later of [false, true]) {
      const { authorizer, authorized } = authorizerOf(decisions, { later });
      const result = judged(make(authorizer), requestFor(subresource, change));
      if (isAllowed) await result;
      else await expect(result).rejects.toThrow(refusal);
      expect(authorized).toHaveLength(questions);
    }
  });

  it('authorizes the signer of the stored request', async () => {
    const { authorizer, authorized } = authorizerOf({});
    const request = requestFor(subresource, { ...change, claimed: 'other.example/mine' });
    await expect(judged(make(authorizer), request)).rejects.toMatchObject({ status: { code: 403 } });
    const resource = {
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
    };
    expect(authorized).toEqual([
      { user, verb, resource: { ...resource, name: 'example.com/own' } },
      { user, verb, resource: { ...resource, name: 'example.com/*' } },
    ]);
  });

  it('stays synchronous when the authorizer does', () => {
    const { authorizer } = authorizerOf({ [`${verb} example.com/own`]: allow });
    expect(make(authorizer).validate?.(requestFor(subresource, change), nothing)).toBeUndefined();
  });
});

it.each<[string, Change, isChecked: boolean]>([
  ['a certificate', { after: { certificate: 'eA==' } }, true],
  ['a failure', { before: { conditions: [approved] }, after: { conditions: [approved, failed] } }, true],
  ['another condition', { after: { conditions: [{ type: 'Ours', status: 'False' }] } }, true],
  ['the loss of a condition', { before: { conditions: [failed] }, after: {} }, true],
  ['nothing', { before: { conditions: [approved] }, after: { conditions: [{ ...approved }] } }, false],
  ['nothing, and nothing was there', { before: {}, after: { conditions: [], certificate: '' } }, false],
])('a status that brings %s', (_what, change, isChecked) => {
  const { authorizer, authorized } = authorizerOf({ 'sign example.com/own': allow });
  certificateSigning(authorizer).validate?.(requestFor('status', change), nothing);
  expect(authorized).toHaveLength(isChecked ? 1 : 0);
});
