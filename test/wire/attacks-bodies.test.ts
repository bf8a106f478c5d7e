import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse, TestApi } from './api.ts';
import { marker, type TwoNamespaces, twoNamespaces } from './two-namespaces.ts';

const root = '/api/v1/namespaces';
const secrets = `${root}/a/secrets`;

let town: TwoNamespaces;
let api: TestApi;
beforeAll(async () => {
  town = await twoNamespaces();
  api = town.api;
});
afterAll(() => town.stop());

/** Sends a request as the user who may do everything in the namespace `a`. */
function call(method: string, path: string, body?: unknown, type = 'application/json'): Promise<ApiResponse> {
  const headers = { authorization: 'Bearer reader', ...(body !== undefined && { 'content-type': type }) };
  return api.call(method, path, { credentials: false, headers, ...(body !== undefined && { body }) });
}

async function elsewhere(): Promise<string> {
  const lists = await Promise.all(
    [
      '/api/v1/secrets',
      '/api/v1/configmaps',
      '/api/v1/namespaces',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    ].map((path) => api.get(path)),
  );
  type Item = { metadata: { namespace?: string } };
  return JSON.stringify(lists.map(({ body }) => body.items.filter((item: Item) => item.metadata.namespace !== 'a')));
}

describe('only the path determines the target of a write', () => {
  const there = { name: 'planted', namespace: 'b' };
  const apply = 'application/apply-patch+yaml';
  it.each<[string, string, string, unknown, string?]>([
    ['another namespace', 'POST', secrets, { metadata: there }],
    ['another namespace twice', 'POST', secrets, '{"metadata":{"name":"planted","namespace":"a","namespace":"b"}}'],
    ['a namespace that is a path', 'POST', secrets, { metadata: { name: 'planted', namespace: '../b' } }],
    ['a name that is a path', 'POST', secrets, { metadata: { name: '../b/planted' } }],
    ['a name that begins with a path', 'POST', secrets, { metadata: { generateName: '../b/planted-' } }],
    ['a name with a null', 'POST', secrets, { metadata: { name: 'x\0../../b/planted' } }],
    ['another kind', 'POST', secrets, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'planted' } }],
    [
      'a kind of another group',
      'POST',
      secrets,
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'planted' } },
    ],
    ['another namespace, put', 'PUT', `${secrets}/planted`, { metadata: there }],
    ['another name, put', 'PUT', `${secrets}/one`, { metadata: { name: '../b/one' } }],
    [
      'another namespace, merged',
      'PATCH',
      `${secrets}/one`,
      { metadata: { namespace: 'b' } },
      'application/merge-patch+json',
    ],
    [
      'another name, merged',
      'PATCH',
      `${secrets}/one`,
      { metadata: { name: '../b/one' } },
      'application/merge-patch+json',
    ],
    [
      'another namespace, patched',
      'PATCH',
      `${secrets}/one`,
      [{ op: 'replace', path: '/metadata/namespace', value: 'b' }],
      'application/json-patch+json',
    ],
    [
      'another namespace, applied',
      'PATCH',
      `${secrets}/planted?fieldManager=m`,
      { apiVersion: 'v1', kind: 'Secret', metadata: there },
      apply,
    ],
    [
      'another kind, applied',
      'PATCH',
      `${secrets}/planted?fieldManager=m`,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'planted' } },
      apply,
    ],
    [
      'an account of another namespace',
      'POST',
      `${root}/a/serviceaccounts/default/token`,
      { metadata: { name: 'default', namespace: 'b' } },
    ],
    [
      'a pod of another namespace',
      'POST',
      `${root}/a/pods/one/eviction`,
      { metadata: { name: 'one', namespace: 'b' } },
    ],
  ])('not by %s', async (_what, method, path, body, type) => {
    const before = await elsewhere();
    const { status, text } = await call(method, path, body, type);
    expect(await elsewhere()).toBe(before);
    expect(text).not.toContain(marker);
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe('users cannot grant themselves more permissions', () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const apiGroup = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'User', apiGroup, name: 'reader' }];
  it.each<[string, string, string, object]>([
    ['a role of the cluster', 'POST', `${rbac}/clusterroles`, { metadata: { name: 'more' }, rules: [] }],
    [
      'a binding of the cluster',
      'POST',
      `${rbac}/clusterrolebindings`,
      { metadata: { name: 'more' }, roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' }, subjects },
    ],
    [
      'a binding elsewhere',
      'POST',
      `${rbac}/namespaces/b/rolebindings`,
      { metadata: { name: 'more' }, roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' }, subjects },
    ],
    [
      'a binding that says elsewhere',
      'POST',
      `${rbac}/namespaces/a/rolebindings`,
      {
        metadata: { name: 'more', namespace: 'b' },
        roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
        subjects,
      },
    ],
    ['the label of an aggregated role', 'PATCH', `${rbac}/clusterroles/view`, { metadata: { labels: { x: 'y' } } }],
    [
      'a request for a certificate that signs itself',
      'PUT',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval',
      {},
    ],
  ])('%s', async (_what, method, path, body) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { status } = await call(method, path, body, type);
    expect([400, 403]).toContain(status);
    expect((await call('GET', `${root}/b/secrets`)).status).toBe(403);
  });

  it('nor with a role for paths', async () => {
    const rules = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
    expect(
      (await call('POST', `${rbac}/namespaces/a/roles`, { metadata: { name: 'paths' }, rules })).status,
    ).toBeGreaterThanOrEqual(400);
    expect((await call('GET', '/metrics')).status).toBe(403);
  });
});

describe('the next page of a list', () => {
  const token = (rv: number, start: string, sum = crc32(`${rv} ${start}`)): string =>
    Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start, sum })).toString('base64url');

  it.each<[string, string]>([
    ['in the middle', 'one\0'],
    ['in another namespace', '../b/one\0'],
    ['behind a slash', '/../b/one\0'],
    ['before everything', '\0'],
    ['far behind', '\u{10ffff}'],
    ['at a sign before the slash', '\x01'],
    ['in a namespace behind', '../../secrets/ab/'],
    ['at a dot', '.'],
  ])('is within the namespace, even if a token says it is %s', async (_what, start) => {
    const { body: list } = await api.get('/api/v1/secrets?limit=1');
    for (const version of [Number(list.metadata.resourceVersion), -1]) {
      const { text } = await call('GET', `${secrets}?limit=50&continue=${token(version, start)}`);
      expect(text).not.toContain(marker);
    }
  });

  it('is not within another namespace for a token that was given there', async () => {
    for (const path of [`${root}/b/secrets`, '/api/v1/secrets']) {
      const { body: list } = await api.get(`${path}?limit=1`);
      expect(list.metadata.continue).not.toBe('');
      const { text } = await call('GET', `${secrets}?limit=50&continue=${list.metadata.continue}`);
      expect(text).not.toContain(marker);
    }
  });
});
