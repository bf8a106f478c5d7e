import { describe, expect, it } from 'vitest';
import type { Attributes, Authorizer, Decision } from '../../authz/index.ts';
import { requestInfo } from '../../http/request-info.ts';
import { serverUser } from '../../meta/user.ts';
import { ResourceSet } from '../../registry/index.ts';
import type { CreateRequest } from '../../registry/resource.ts';
import { builtInResources } from '../../resources/index.ts';
import { reviewResource, withCoreReviewRights, withCoreReviews } from './index.ts';

const user = { name: 'alice', uid: '', groups: [], extra: {} };
const allow: Decision = { decision: 'allow', reason: 'yes' };
const dependencies = {
  authorizer: { authorize: () => allow },
  rules: { rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError: '' }) },
  reviewToken: () => ({ error: '' }),
};

function servedSet(group: string): ResourceSet {
  return new ResourceSet({
    definitions: builtInResources.filter((definition) => definition.group === group),
    openStore: () => {
      throw new Error('nothing is stored');
    },
    virtual: (definition) => reviewResource(definition, dependencies),
  });
}

const set = servedSet('authorization.k8s.io');
const routed = withCoreReviews(set, dependencies.authorizer);
const find = (path: string) => routed.find(requestInfo('POST', path, '').target!);

async function review(path: string, sent: object) {
  const { namespace, name } = requestInfo('POST', path, '').target!;
  const request: CreateRequest = {
    namespace,
    name,
    body: Buffer.from(JSON.stringify(sent)),
    encoding: 'json',
    dryRun: false,
    fieldValidation: 'Warn',
    fieldManager: 'tester',
    user: serverUser,
    warn: () => undefined,
  };
  const result = await find(path)!.verbs.create!(request);
  if ('status' in result) throw new Error('a review has an answer');
  return JSON.parse(result.bytes.toString());
}

const question = (namespace: string) => ({ spec: { user: 'bob', resourceAttributes: { namespace, verb: 'get' } } });

describe('a review under the core group', () => {
  it('covers all namespaces without a namespace in the path', async () => {
    const result = await review('/api/v1/subjectaccessreviews', { apiVersion: 'v1', ...question('there') });
    expect(result).toMatchObject({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { managedFields: [{ apiVersion: 'authorization.k8s.io/v1' }] },
      status: { allowed: true, reason: 'yes' },
    });
  });

  it.each([undefined, 'SubjectAccessReview', 'LocalSubjectAccessReview'])(
    'is local with one, and answered in the kind that was sent: %s',
    async (kind) => {
      const sent = { kind, ...question('here') };
      const result = await review('/api/v1/namespaces/here/subjectaccessreviews', sent);
      expect(result).toMatchObject({
        kind: kind ?? 'SubjectAccessReview',
        metadata: { namespace: 'here' },
        status: { allowed: true },
      });
    },
  );

  it.each(['SubjectAccessReview', 'LocalSubjectAccessReview'])('does not review other namespaces: %s', (kind) =>
    expect(review('/api/v1/namespaces/here/subjectaccessreviews', { kind, ...question('there') })).rejects.toThrow(
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "there": must match metadata.namespace',
    ),
  );

  it('does not accept other kinds of reviews', () =>
    expect(
      review('/api/v1/namespaces/here/subjectaccessreviews', { kind: 'Pod', apiVersion: 'v1', ...question('here') }),
    ).rejects.toThrow('Pod in version "v1" cannot be handled as a SubjectAccessReview'));

  it('is not in discovery and keeps the reviews in their group', () => {
    expect(set.definitions.filter(({ group }) => group === '')).toEqual([]);
    expect(find('/apis/authorization.k8s.io/v1/subjectaccessreviews')?.definition.namespaced).toBe(false);
    for (const path of ['/api/v2/subjectaccessreviews', '/api/v1/localsubjectaccessreviews', '/api/v1/pods']) {
      expect(find(path)).toBeUndefined();
    }
  });

  it('is not served without its group', () => {
    const { target } = requestInfo('POST', '/api/v1/subjectaccessreviews', '');
    expect(withCoreReviews(servedSet('authentication.k8s.io'), dependencies.authorizer).find(target!)).toBeUndefined();
  });
});

describe('the permission to create a review under the core group', () => {
  function judge(path: string, permitted: string, otherwise: Decision = { decision: 'no-opinion', reason: '' }) {
    const authorized: string[] = [];
    const authorizer: Authorizer = {
      authorize({ resource }: Attributes) {
        authorized.push(`${resource?.group}/${resource?.resource}/${resource?.namespace}`);
        return authorized.at(-1) === permitted ? allow : otherwise;
      },
    };
    const { verb, target } = requestInfo('POST', path, '');
    const decision = withCoreReviewRights(authorizer).authorize({ user, verb, resource: target! });
    return { decision, authorized };
  }

  const anywhere = '/api/v1/subjectaccessreviews';
  const here = '/api/v1/namespaces/here/subjectaccessreviews';

  it.each([
    [anywhere, '/subjectaccessreviews/'],
    [anywhere, 'authorization.k8s.io/subjectaccessreviews/'],
    [here, '/subjectaccessreviews/here'],
    [here, 'authorization.k8s.io/localsubjectaccessreviews/here'],
  ])('on %s is granted by %s', (path, permitted) => {
    expect(judge(path, permitted).decision).toEqual(allow);
  });

  it.each([
    [anywhere, 'authorization.k8s.io/localsubjectaccessreviews/'],
    [here, 'authorization.k8s.io/subjectaccessreviews/here'],
    ['/api/v1/pods', 'authorization.k8s.io/subjectaccessreviews/'],
  ])('on %s is not granted by %s', (path, permitted) => {
    expect(judge(path, permitted).decision).toEqual({ decision: 'no-opinion', reason: '' });
  });

  it('is not granted after an explicit denial', () => {
    const denied: Decision = { decision: 'deny', reason: 'no' };
    expect(judge(anywhere, 'authorization.k8s.io/subjectaccessreviews/', denied)).toEqual({
      decision: denied,
      authorized: ['/subjectaccessreviews/'],
    });
  });

  it('supports asynchronous authorizers', async () => {
    const authorizer: Authorizer = {
      authorize: async ({ resource }) => (resource?.group === '' ? { decision: 'no-opinion', reason: 'x' } : allow),
    };
    const { verb, target } = requestInfo('POST', here, '');
    expect(await withCoreReviewRights(authorizer).authorize({ user, verb, resource: target! })).toEqual(allow);
  });
});
