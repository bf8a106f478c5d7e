import { generateKeyPairSync } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { AdmissionChain, type AdmissionRequest } from '../../src/admission/index.ts';
import { ServiceAccountKeys, TokenIssuer } from '../../src/authn/index.ts';
import { specification } from '../../src/meta/compatibility.ts';
import { serverUser } from '../../src/meta/user.ts';
import { ResourceSet, type Verbs } from '../../src/registry/index.ts';
import { plainDelete } from '../../src/registry/lifecycle/plain-requests.conformance.ts';
import { builtInKind, builtInResources } from '../../src/resources/index.ts';
import { createMemoryStorage } from '../../src/storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../../src/store/index.ts';
import { virtualResources } from '../../src/virtual/index.ts';
import { request } from '../corpus/certificates.ts';

const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const tokens = new TokenIssuer({ keys: new ServiceAccountKeys({ signingKey }), issuer: 'https://issuer.example' });

/** Returns the endpoints of a server, and a record of all requests to its admission plugins. */
function recorded() {
  const stop = new AbortController();
  const storage = createMemoryStorage();
  onTestFinished(async () => {
    stop.abort();
    await storage.close();
  });
  const noReview = () => Promise.reject(new Error('no reviews here'));
  const authorize = () => ({ decision: 'allow', reason: '' });
  const virtual = virtualResources({
    storage,
    tokens,
    compatibility: specification,
    reviews: { authorizer: { authorize }, rules: { rulesFor: noReview }, reviewToken: noReview } as never,
  });
  const seen: AdmissionRequest[] = [];
  /** The kinds that the objects state, in both phases, and the kinds of the requests. */
  const kinds: { readonly stated: unknown; readonly expected: unknown }[] = [];
  const recordKinds = ({ operation, object, oldObject, kind: { group, version, kind } }: AdmissionRequest): void => {
    const expected = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
    for (const each of [operation === 'DELETE' ? undefined : object, oldObject])
      if (each !== undefined) kinds.push({ stated: { apiVersion: each.apiVersion, kind: each.kind }, expected });
  };
  const recorder = {
    name: 'Recorder',
    rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['*/*'] } as const],
    mutate: recordKinds,
    validate: (request: AdmissionRequest) => {
      recordKinds(request);
      seen.push(request);
    },
  };
  const encoded = new RecentBytes(1024);
  const set = new ResourceSet({
    definitions: builtInResources,
    knownKind: builtInKind,
    openStore: (prefix) => new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal }),
    admission: (objects) => new AdmissionChain([recorder], objects),
    virtual: virtual.resource,
    subresource: virtual.subresource,
  });
  /** `path`: `group/version/resource/namespace/name[/subresource]`. */
  const call = async (verb: keyof Verbs, path: string, body: object = {}): Promise<unknown> => {
    const [group = '', version = '', resource = '', namespace = '', name = '', subresource = ''] = path.split('/');
    const found = set.find({ group, version, resource })!;
    const verbs = subresource === '' ? found.verbs : found.subresources.get(subresource)!;
    const how = { encoding: 'json', fieldValidation: 'Strict', fieldManager: 'm', patchType: 'merge' } as const;
    const rest = { options: plainDelete, authorizeCreate: () => {}, force: false, dryRun: false };
    const content = { body: Buffer.from(JSON.stringify(body)), user: serverUser, warn: () => {} };
    return (verbs[verb] as (request: object) => Promise<unknown>)({ namespace, name, ...how, ...rest, ...content });
  };
  return { call, seen, kinds };
}

const pod = {
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
};
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
const scale = { metadata: { name: 'd' }, spec: { replicas: 3 } };
const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
const certificateRequest = {
  metadata: { name: 'r' },
  spec: { request, signerName: 'example.com/own', usages: ['any'] },
};

/**
 * For each case: the existing objects, the request, and what the plugin receives (operation, resource, kind, name and
 * namespace).
 */
const cases: [string, [string, object][], [keyof Verbs, string, object?], string][] = [
  ['create', [], ['create', '/v1/pods/ns', pod], 'CREATE v1/pods Pod ns/p'],
  ['patch', [['/v1/pods/ns', pod]], ['patch', '/v1/pods/ns/p', {}], 'UPDATE v1/pods Pod ns/p'],
  ['PUT that creates', [], ['update', '/v1/pods/ns/p', pod], 'CREATE v1/pods Pod ns/p'],
  ['delete', [['/v1/pods/ns', pod]], ['delete', '/v1/pods/ns/p'], 'DELETE v1/pods Pod ns/p'],
  ['status', [['/v1/pods/ns', pod]], ['patch', '/v1/pods/ns/p/status', {}], 'UPDATE v1/pods/status Pod ns/p'],
  [
    'binding',
    [['/v1/pods/ns', pod]],
    ['create', '/v1/pods/ns/p/binding', { metadata: { name: 'p' }, target }],
    'CREATE v1/pods/binding Binding.v1. ns/p',
  ],
  [
    'bindings',
    [['/v1/pods/ns', pod]],
    ['create', '/v1/bindings/ns', { metadata: { name: 'p' }, target }],
    'CREATE v1/bindings Binding.v1. ns/p',
  ],
  [
    'eviction',
    [['/v1/pods/ns', pod]],
    ['create', '/v1/pods/ns/p/eviction', { metadata: { name: 'p' } }],
    'CREATE v1/pods/eviction Eviction.v1.policy ns/p',
  ],
  [
    'token',
    [['/v1/serviceaccounts/ns', { metadata: { name: 's' } }]],
    ['create', '/v1/serviceaccounts/ns/s/token', { spec: {} }],
    'CREATE v1/serviceaccounts/token TokenRequest.v1.authentication.k8s.io ns/s',
  ],
  [
    'scale',
    [['apps/v1/deployments/ns', deployment]],
    ['update', 'apps/v1/deployments/ns/d/scale', scale],
    'UPDATE apps/v1/deployments/scale Scale.v1.autoscaling ns/d',
  ],
  [
    'patched scale',
    [['apps/v1/deployments/ns', deployment]],
    ['patch', 'apps/v1/deployments/ns/d/scale', { spec: { replicas: 3 } }],
    'UPDATE apps/v1/deployments/scale Scale.v1.autoscaling ns/d',
  ],
  [
    'finalize',
    [['/v1/namespaces/', { metadata: { name: 'x' } }]],
    ['update', '/v1/namespaces//x/finalize', { metadata: { name: 'x' }, spec: { finalizers: [] } }],
    'UPDATE v1/namespaces/finalize Namespace.v1. x/x',
  ],
  [
    'delete of a namespace',
    [['/v1/namespaces/', { metadata: { name: 'x' } }]],
    ['delete', '/v1/namespaces//x'],
    'DELETE v1/namespaces Namespace.v1. x/x',
  ],
  [
    'access review',
    [],
    ['create', 'authorization.k8s.io/v1/subjectaccessreviews/', { spec: { user: 'u', resourceAttributes: {} } }],
    'CREATE authorization.k8s.io/v1/subjectaccessreviews SubjectAccessReview /',
  ],
  [
    'local access review',
    [],
    [
      'create',
      'authorization.k8s.io/v1/localsubjectaccessreviews/ns',
      { spec: { user: 'u', resourceAttributes: { namespace: 'ns' } } },
    ],
    'CREATE authorization.k8s.io/v1/localsubjectaccessreviews LocalSubjectAccessReview ns/',
  ],
  [
    'review of oneself',
    [],
    ['create', 'authentication.k8s.io/v1/selfsubjectreviews/', { metadata: { name: 'me' } }],
    'CREATE authentication.k8s.io/v1/selfsubjectreviews SelfSubjectReview /me',
  ],
  [
    'approval',
    [['certificates.k8s.io/v1/certificatesigningrequests/', certificateRequest]],
    ['patch', 'certificates.k8s.io/v1/certificatesigningrequests//r/approval', {}],
    'UPDATE certificates.k8s.io/v1/certificatesigningrequests/approval CertificateSigningRequest /r',
  ],
];

it.each(cases)('%s', async (_name, before, [verb, path, body], expected) => {
  const { call, seen, kinds } = recorded();
  for (const [where, object] of before) await call('create', where, object);
  seen.length = 0;
  await call(verb, path, body);
  const targets = seen.map(({ operation, kind, resource, subresource, namespace, name }) => {
    const place = [resource.group, resource.version, resource.resource, subresource].filter(Boolean).join('/');
    const ownKind = kind.group === resource.group && !expected.includes(`${kind.kind}.`);
    const shownKind = ownKind ? kind.kind : `${kind.kind}.${kind.version}.${kind.group}`;
    return `${operation} ${place} ${shownKind} ${namespace}/${name}`;
  });
  expect(targets).toEqual([expected]);
  expect(kinds.map(({ stated }) => stated)).toEqual(kinds.map((each) => each.expected));
});

it('shows the old and the new scale', async () => {
  const { call, seen } = recorded();
  await call('create', 'apps/v1/deployments/ns', deployment);
  await call('update', 'apps/v1/deployments/ns/d/scale', scale);
  const { object, oldObject } = seen.at(-1)!;
  expect(object).toMatchObject({ kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } });
  expect(oldObject).toMatchObject({ kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 1 } });
});

it('shows the eviction, and not the deletion that it causes', async () => {
  const { call, seen } = recorded();
  await call('create', '/v1/pods/ns', pod);
  await call('create', '/v1/pods/ns/p/eviction', { metadata: { name: 'p' } });
  expect(seen.map(({ operation, subresource }) => [operation, subresource])).toEqual([
    ['CREATE', ''],
    ['CREATE', 'eviction'],
  ]);
});
