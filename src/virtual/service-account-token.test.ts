import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AdmissionRequest } from '../admission/index.ts';
import { ServiceAccountKeys, ServiceAccountTokenAuthenticator, TokenIssuer } from '../authn/index.ts';
import { forbidden, StatusError } from '../meta/status-error.ts';
import { ResourceSet } from '../registry/index.ts';
import { builtInKind, builtInResources } from '../resources/index.ts';
import { createMemoryStorage } from '../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../store/index.ts';
import { serviceAccountToken } from './service-account-token.ts';
import type { VirtualAdmission } from './virtual-admission.ts';

const issuerName = 'https://kubernetes.default.svc.cluster.local';
const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const keys = new ServiceAccountKeys({ signingKey });
const user = { name: 'admin', uid: '', groups: [], extra: {} };
const type = (resource: string) => ({ group: '', version: 'v1', resource });

type Options = Partial<ConstructorParameters<typeof TokenIssuer>[0]> & {
  admission?: VirtualAdmission;
};

function setUp({ admission, ...options }: Options = {}) {
  const storage = createMemoryStorage();
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await storage.close();
  });
  const issuer = new TokenIssuer({ keys, issuer: issuerName, ...options });
  const encoded = new RecentBytes(1024);
  const set = new ResourceSet({
    definitions: builtInResources.filter(({ group }) => group === ''),
    knownKind: builtInKind,
    openStore: (prefix) => new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal }),
    subresource: ({ resource }, name, all) =>
      resource === 'serviceaccounts' && name === 'token' ? serviceAccountToken(all, issuer, admission) : undefined,
  });
  const warnings: string[] = [];
  const request = (body: object, { namespace = 'default', name = '' } = {}) => ({
    namespace,
    name,
    body: Buffer.from(JSON.stringify(body)),
    encoding: 'json' as const,
    dryRun: false,
    fieldValidation: 'Strict' as const,
    fieldManager: 'rec',
    user,
    warn: (text: string) => warnings.push(text),
  });
  const create = async (resource: string, object: object, namespace = 'default') => {
    const result = await set.find(type(resource))!.verbs.create!(request(object, { namespace }));
    return JSON.parse((result as { bytes: Buffer }).bytes.toString());
  };
  const requestToken = async (body: object, name = 'sa1') => {
    const verbs = set.find(type('serviceaccounts'))!.subresources.get('token')!;
    const result = await verbs.create!(request(body, { name }));
    return JSON.parse((result as { bytes: Buffer }).bytes.toString());
  };
  return { set, warnings, create, requestToken, issuer };
}

async function withAccount(options: Options = {}) {
  const all = setUp(options);
  await all.create('namespaces', { metadata: { name: 'default' } }, '');
  const account = await all.create('serviceaccounts', { metadata: { name: 'sa1' } });
  return { ...all, account };
}

const claimsOf = (response: { status: { token: string } }) =>
  JSON.parse(Buffer.from(response.status.token.split('.')[1]!, 'base64url').toString());
const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { serviceAccountName: 'sa1', containers: [{ name: 'c', image: 'registry.example/c:1' }], ...spec },
});
const bound = (kind: string, name: string, more: object = {}) => ({
  spec: { boundObjectRef: { kind, apiVersion: 'v1', name, ...more } },
});
const full = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('the answer', () => {
  it.each<[string, object, object, object]>([
    ['to nothing', {}, { audiences: [issuerName], expirationSeconds: 3600, boundObjectRef: null }, {}],
    [
      'to no wishes',
      { ...full, spec: {} },
      { audiences: [issuerName], expirationSeconds: 3600, boundObjectRef: null },
      {},
    ],
    [
      'to empty wishes',
      { spec: { audiences: [], boundObjectRef: null } },
      { audiences: [issuerName], expirationSeconds: 3600, boundObjectRef: null },
      { 'f:audiences': {} },
    ],
    [
      'to wishes',
      { ...full, spec: { audiences: ['a', 'b'], expirationSeconds: 7200 } },
      { audiences: ['a', 'b'], expirationSeconds: 7200, boundObjectRef: null },
      { 'f:audiences': {} },
    ],
  ])('%s', async (_what, body, spec, owned) => {
    const { requestToken, account } = await withAccount();
    const response = await requestToken(body);
    expect(response).toEqual({
      ...full,
      metadata: {
        name: 'sa1',
        namespace: 'default',
        uid: account.metadata.uid,
        creationTimestamp: time,
        managedFields: [
          {
            manager: 'rec',
            operation: 'Update',
            apiVersion: 'authentication.k8s.io/v1',
            time,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { ...owned, 'f:expirationSeconds': {} } },
            subresource: 'token',
          },
        ],
      },
      spec,
      status: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expirationTimestamp: time },
    });
    const { aud, exp, iat } = claimsOf(response);
    expect([aud, exp - iat]).toEqual([response.spec.audiences, response.spec.expirationSeconds]);
    expect(Date.parse(response.status.expirationTimestamp)).toBe(exp * 1000);
  });

  it('has the API audiences by default', async () => {
    const { requestToken } = await withAccount({ audiences: ['api', 'other'] });
    const response = await requestToken({});
    expect(response.spec.audiences).toEqual(['api', 'other']);
    expect(claimsOf(response)).toMatchObject({ aud: ['api', 'other'], iss: issuerName });
  });

  it('has a shorter lifetime when the server limits it', async () => {
    const { requestToken, warnings } = await withAccount({ maxExpirationSeconds: 3600 });
    const response = await requestToken({ spec: { expirationSeconds: 7200 } });
    expect(response.spec.expirationSeconds).toBe(3600);
    expect(warnings).toEqual(['requested expiration of 7200 seconds shortened to 3600 seconds']);
  });

  it('is a token that authenticates', async () => {
    const { requestToken, set, account } = await withAccount();
    const authenticator = new ServiceAccountTokenAuthenticator({
      keys,
      issuers: [issuerName],
      audiences: [issuerName],
      objects: set,
    });
    const { status } = await requestToken({});
    const known = authenticator.authenticateToken(status.token, [issuerName]);
    // Cached objects are returned synchronously.
    expect(known).not.toBeInstanceOf(Promise);
    expect(known).toMatchObject({ user: { name: 'system:serviceaccount:default:sa1', uid: account.metadata.uid } });
    expect((known as { isStillValid: () => boolean }).isStillValid()).toBe(true);
  });
});

describe('a bound token', () => {
  it('names its pod and the node of the pod', async () => {
    const { requestToken, create } = await withAccount();
    const { metadata } = await create('pods', pod('p1'));
    const uid = metadata.uid as string;
    const response = await requestToken(bound('Pod', 'p1', { uid }));
    expect(response.spec.boundObjectRef).toEqual({ kind: 'Pod', apiVersion: 'v1', name: 'p1', uid });
    expect(response.metadata.managedFields[0].fieldsV1['f:spec']).toEqual({
      'f:boundObjectRef': { 'f:apiVersion': {}, 'f:kind': {}, 'f:name': {}, 'f:uid': {} },
      'f:expirationSeconds': {},
    });
    expect(claimsOf(response)['kubernetes.io']).toMatchObject({ pod: { name: 'p1', uid } });
    expect(claimsOf(response)['kubernetes.io']).not.toHaveProperty('node');

    await create('pods', pod('p2', { nodeName: 'n1' }));
    expect(claimsOf(await requestToken(bound('Pod', 'p2')))['kubernetes.io'].node).toEqual({ name: 'n1' });
    const node = await create('nodes', { metadata: { name: 'n1' } }, '');
    expect(claimsOf(await requestToken(bound('Pod', 'p2')))['kubernetes.io'].node).toEqual({
      name: 'n1',
      uid: node.metadata.uid,
    });
  });

  it('is extended for default lifetimes', async () => {
    const { requestToken, create } = await withAccount();
    await create('pods', pod('p1'));
    const { boundObjectRef } = bound('Pod', 'p1').spec;
    const response = await requestToken({ spec: { boundObjectRef, expirationSeconds: 3607 } });
    const { exp, iat, 'kubernetes.io': own } = claimsOf(response);
    expect([exp - iat, own.warnafter - iat]).toEqual([365 * 24 * 3600, 3607]);
    expect(Date.parse(response.status.expirationTimestamp)).toBe((iat + 3607) * 1000);
  });

  it.each([
    ['Secret', 'secrets', 'secret', 'default'],
    ['Node', 'nodes', 'node', ''],
  ])('names its %s', async (kind, resource, claim, namespace) => {
    const { requestToken, create } = await withAccount();
    const { metadata } = await create(resource, { metadata: { name: 'x' } }, namespace);
    expect(claimsOf(await requestToken(bound(kind, 'x')))['kubernetes.io'][claim]).toEqual({
      name: 'x',
      uid: metadata.uid,
    });
  });
});

describe('what is refused', () => {
  const uid = '00000000-0000-0000-0000-000000000001';
  const invalid = (name: string) => `TokenRequest.authentication.k8s.io "${name}" is invalid: `;
  it.each<[string, object, number, string]>([
    [
      'too short',
      { spec: { expirationSeconds: 60 } },
      422,
      `${invalid('')}spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes`,
    ],
    [
      'nothing at all',
      { spec: { expirationSeconds: 0 } },
      422,
      `${invalid('')}spec.expirationSeconds: Invalid value: 0: may not specify a duration less than 10 minutes`,
    ],
    [
      'too long',
      { spec: { expirationSeconds: 8589934592 } },
      422,
      `${invalid('')}spec.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds`,
    ],
    [
      'another name',
      { metadata: { name: 'zz' } },
      422,
      `${invalid('sa1')}metadata.name: Invalid value: "zz": must match the service account name if specified`,
    ],
    [
      'another namespace',
      { metadata: { namespace: 'zz' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    ['a missing pod', bound('Pod', 'nopod'), 404, 'pods "nopod" not found'],
    ['a missing secret', bound('Secret', 'none'), 404, 'secrets "none" not found'],
    ['a missing node', bound('Node', 'none'), 404, 'nodes "none" not found'],
    ['a kind that does not bind', bound('Foo', 'x'), 400, 'cannot bind token to object of type /v1, Kind=Foo'],
    [
      'a pod of another group',
      bound('Pod', 'p1', { apiVersion: 'apps/v1' }),
      400,
      'cannot bind token to object of type apps/v1, Kind=Pod',
    ],
    [
      'a kind that every object has',
      bound('constructor', 'x'),
      400,
      'cannot bind token to object of type /v1, Kind=constructor',
    ],
    [
      'a pod of another account',
      bound('Pod', 'pp'),
      400,
      'cannot bind token for serviceaccount "sa1" to pod running with different serviceaccount name.',
    ],
    [
      'another pod of the name',
      bound('Pod', 'p1', { uid }),
      409,
      `Operation cannot be fulfilled on Pod "p1": the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    ],
  ])('%s', async (_what, body, code, message) => {
    const { requestToken, create } = await withAccount();
    await create('pods', pod('p1'));
    await create('pods', pod('pp', { serviceAccountName: 'default' }));
    await expect(requestToken(body)).rejects.toMatchObject({ status: { code, message } });
  });

  it('a recreated account', async () => {
    const { requestToken, account } = await withAccount();
    expect((await requestToken({ metadata: { uid: account.metadata.uid } })).metadata.uid).toBe(account.metadata.uid);
    await expect(requestToken({ metadata: { uid } })).rejects.toMatchObject({
      status: {
        code: 409,
        message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "sa1": the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid})`,
      },
    });
  });

  it('a missing account', async () => {
    const { requestToken } = await withAccount();
    await expect(requestToken({}, 'none')).rejects.toMatchObject({
      status: {
        code: 404,
        message: 'serviceaccounts "none" not found',
        details: { name: 'none', kind: 'serviceaccounts' },
      },
    });
  });

  it('a request that a policy denies', async () => {
    const seen: AdmissionRequest[] = [];
    const { requestToken } = await withAccount({
      admission: {
        mutate: (request) => {
          seen.push(request);
          return request.object;
        },
        validate: (request) => {
          seen.push(request);
          throw forbidden({ group: '', resource: 'serviceaccounts' }, request.name, 'not for you');
        },
      },
    });
    await expect(requestToken({ spec: {} })).rejects.toThrow(StatusError);
    const about = {
      operation: 'CREATE',
      resource: { resource: 'serviceaccounts' },
      subresource: 'token',
      namespace: 'default',
    };
    const spec = { audiences: [issuerName], expirationSeconds: 3600 };
    expect(seen).toMatchObject([
      { ...about, name: 'sa1', user, object: { spec: { expirationSeconds: 3600 } } },
      { ...about, name: 'sa1', user, object: { metadata: { name: 'sa1' }, spec } },
    ]);
    // The mutating phase sees the request without the default audiences.
    expect((seen[0]!.object.spec as { audiences?: unknown }).audiences ?? []).toEqual([]);
  });
});
