import { beforeEach, describe, expect, it } from 'vitest';
import type { Attributes, Decision } from '../../authz/index.ts';
import { encoders } from '../../codec/encoders/index.ts';
import type { EncodingName } from '../../codec/media-types.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { CreateRequest } from '../../registry/resource.ts';
import { builtInResources } from '../../resources/index.ts';
import { type ReviewDependencies, reviewResource } from './index.ts';

const alice: UserInfo = {
  name: 'alice',
  uid: 'u',
  groups: ['dev', 'system:authenticated'],
  extra: { z: ['1'], a: ['2'] },
};
const noOpinion: Decision = { decision: 'no-opinion', reason: '' };

let authorized: Attributes[] = [];
let decision: Decision = noOpinion;

const dependencies: ReviewDependencies = {
  authorizer: {
    authorize(attributes) {
      authorized.push(attributes);
      return decision;
    },
  },
  rules: {
    rulesFor: ({ name }, namespace) => ({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: [`${name} in ${namespace}`], resourceNames: [] }],
      nonResourceRules: [],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "r" not found',
    }),
  },
  reviewToken: (token, audiences) =>
    token === 'good' ? { user: alice, audiences: ['api', ...audiences] } : { error: 'invalid bearer token' },
};

beforeEach(() => {
  authorized = [];
  decision = noOpinion;
});

interface ReviewOptions {
  readonly namespace?: string;
  readonly encoding?: EncodingName;
  readonly strict?: boolean;
}

async function review(
  resource: string,
  body: object | Buffer,
  { namespace = '', encoding = 'json', strict }: ReviewOptions = {},
) {
  const definition = builtInResources.find((known) => known.resource === resource)!;
  const request: CreateRequest = {
    namespace,
    name: '',
    body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
    encoding,
    dryRun: false,
    fieldValidation: strict ? 'Strict' : 'Warn',
    fieldManager: 'tester',
    user: alice,
    warn: () => undefined,
  };
  const result = await reviewResource(definition, dependencies)!.create!(request);
  if ('status' in result) throw new Error('a review has an answer');
  return JSON.parse(result.bytes.toString());
}

async function refused(...question: Parameters<typeof review>) {
  const error = await review(...question).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatusError)) throw new Error('the question was answered', { cause: error });
  return { code: error.status.code, message: error.status.message };
}

const owners = (apiVersion: string, spec: object) => [
  {
    manager: 'tester',
    operation: 'Update',
    apiVersion,
    time: expect.stringMatching(/Z$/),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': spec },
  },
];

describe('an access review', () => {
  const spec = {
    user: 'bob',
    groups: ['g'],
    uid: '1',
    extra: { k: ['v'] },
    resourceAttributes: { verb: 'get', resource: 'pods' },
  };

  it('echoes the spec with managed fields, and answers', async () => {
    decision = { decision: 'allow', reason: 'because' };
    const result = await review('subjectaccessreviews', { spec: { user: 'bob', resourceAttributes: { verb: 'get' } } });
    expect(result).toEqual({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {
        managedFields: owners('authorization.k8s.io/v1', {
          'f:resourceAttributes': { '.': {}, 'f:verb': {} },
          'f:user': {},
        }),
      },
      spec: { user: 'bob', resourceAttributes: { verb: 'get' } },
      status: { allowed: true, reason: 'because' },
    });
    expect(Object.keys(result)).toEqual(['kind', 'apiVersion', 'metadata', 'spec', 'status']);
  });

  it.each<[string, Decision, object]>([
    ['nobody says anything', noOpinion, { allowed: false }],
    ['it is denied', { decision: 'deny', reason: 'no' }, { allowed: false, denied: true, reason: 'no' }],
    [
      'nobody can tell',
      { ...noOpinion, error: new Error('no answer') },
      { allowed: false, evaluationError: 'no answer' },
    ],
  ])('tells when %s', async (_what, made, status) => {
    decision = made;
    expect((await review('subjectaccessreviews', { spec, status: { allowed: true } })).status).toEqual(status);
  });

  it('reviews the named subject, in every version by default', async () => {
    await review('subjectaccessreviews', { spec });
    const resource = { group: '', resource: 'pods', subresource: '', namespace: '', name: '' };
    expect(authorized).toMatchObject([
      {
        user: { name: 'bob', uid: '1', groups: ['g'], extra: { k: ['v'] } },
        verb: 'get',
        resource: { ...resource, version: '*' },
      },
    ]);
  });

  it('reviews the caller for self reviews', async () => {
    await review('selfsubjectaccessreviews', { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } });
    expect(authorized).toEqual([{ user: alice, verb: 'get', path: '/x' }]);
  });

  it('gets the namespace of the path', async () => {
    const local = { user: 'bob', resourceAttributes: { namespace: 'here' } };
    const result = await review('localsubjectaccessreviews', { spec: local }, { namespace: 'here' });
    expect(result.metadata).toMatchObject({ namespace: 'here', managedFields: [{}] });
    expect(await refused('localsubjectaccessreviews', { metadata: { namespace: 'b' } }, { namespace: 'here' })).toEqual(
      {
        code: 400,
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      },
    );
  });

  it('has validation errors without a kind', async () => {
    expect(await refused('selfsubjectaccessreviews', { spec: {} })).toEqual({
      code: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    });
  });

  it('ignores fields that only the server sets', async () => {
    const metadata = { uid: 'x', creationTimestamp: '2020-01-01T00:00:00Z', namespace: 'n' };
    const result = await review('subjectaccessreviews', { metadata, spec });
    expect(Object.keys(result.metadata)).toEqual(['managedFields']);
  });

  it('shows managed fields in errors about metadata', async () => {
    const { message } = await refused('subjectaccessreviews', {
      metadata: { name: 'x' },
      spec: { ...spec, extra: {} },
    });
    expect(message).toMatch(
      /^\.authorization\.k8s\.io "" is invalid: metadata: Invalid value: {"name":"x","managedFields":\[{"manager":"tester",.*}]}: must be empty$/,
    );
  });

  it.each<EncodingName>(['yaml', 'protobuf', 'json'])('is read from %s', async (encoding) => {
    const { schema } = builtInResources.find(({ resource }) => resource === 'subjectaccessreviews')!;
    const object = { kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {}, spec };
    const body = encoders[encoding].encode(object, schema);
    expect((await review('subjectaccessreviews', body, { encoding })).spec).toEqual(spec);
  });

  it('is refused for unknown fields with strict field validation', async () => {
    const { message } = await refused('subjectaccessreviews', { spec, more: 1 }, { strict: true });
    expect(message).toContain('strict decoding error: unknown field "more"');
  });
});

describe('a review of rules', () => {
  it('lists the rules of the caller in the namespace', async () => {
    expect(await review('selfsubjectrulesreviews', { metadata: { name: 'x' }, spec: { namespace: 'here' } })).toEqual({
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['alice in here'] }],
        nonResourceRules: [],
        incomplete: false,
        evaluationError: 'role.rbac.authorization.k8s.io "r" not found',
      },
    });
  });

  it('needs a namespace', async () => {
    expect(await refused('selfsubjectrulesreviews', {})).toEqual({ code: 400, message: 'no namespace on request' });
  });
});

describe('a review of oneself', () => {
  it('returns the user info of the caller', async () => {
    expect(
      await review('selfsubjectreviews', { metadata: { name: 'x' }, status: { userInfo: { username: 'x' } } }),
    ).toEqual({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: expect.stringMatching(/Z$/) },
      status: { userInfo: { username: 'alice', uid: 'u', groups: alice.groups, extra: alice.extra } },
    });
  });
});

describe('a review of a token', () => {
  it('returns the user of the token', async () => {
    expect(await review('tokenreviews', { spec: { token: 'good', audiences: ['x'] } })).toEqual({
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { managedFields: owners('authentication.k8s.io/v1', { 'f:audiences': {}, 'f:token': {} }) },
      spec: { token: 'good', audiences: ['x'] },
      status: {
        authenticated: true,
        user: { username: 'alice', uid: 'u', groups: alice.groups, extra: alice.extra },
        audiences: ['api', 'x'],
      },
    });
  });

  it('returns the error of an invalid token', async () => {
    const { status } = await review('tokenreviews', { spec: { token: 'bad' } });
    expect(status).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  it('never repeats that a token is valid, but the rest of the sent status', async () => {
    const status = { authenticated: true, user: { username: 'root' }, audiences: ['y'], error: 'no' };
    expect((await review('tokenreviews', { spec: { token: 'bad' }, status })).status).toEqual({
      user: { username: 'root' },
      audiences: ['y'],
      error: 'invalid bearer token',
    });
    expect((await review('tokenreviews', { spec: { token: 'good' }, status })).status).toMatchObject({
      authenticated: true,
      user: { username: 'alice' },
      error: 'no',
    });
  });

  it('needs a token', async () => {
    const message = 'token is required for TokenReview in authentication';
    expect(await refused('tokenreviews', {})).toEqual({ code: 400, message });
  });
});
