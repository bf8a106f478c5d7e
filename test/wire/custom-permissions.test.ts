import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, objectOf, pathOf } from './custom-types.ts';

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const definition = definitionOf({
  singular: 'vault',
  versions: [{ name: 'v1', subresources: { status: {}, scale } }, 'v2'],
});
const path = pathOf(definition);
const rbac = '/apis/rbac.authorization.k8s.io/v1';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await grant('reader', ['get', 'list', 'watch'], ['vaults']);
  await grant('reporter', ['patch'], ['vaults/status', 'vaults/scale']);
  await grant('named', ['get', 'delete'], ['vaults'], ['a']);
  // The roles exist before the type.
  await define(api, definition);
  for (const name of ['a', 'b']) await api.post(path, objectOf(definition, name, { spec: { replicas: 1 } }));
});
afterAll(() => api.stop());

/** Creates a role and its binding to a user. Both have the name of the user. */
async function grant(name: string, verbs: string[], resources: string[], resourceNames?: string[]): Promise<void> {
  const rules = [{ apiGroups: ['example.com'], resources, verbs, ...(resourceNames && { resourceNames }) }];
  await api.post(`${rbac}/namespaces/default/roles`, { metadata: { name }, rules });
  await api.post(`${rbac}/namespaces/default/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  });
}

const as = (user: string, method: string, where: string, body?: object) =>
  api.call(method, where, {
    body,
    headers: {
      'impersonate-user': user,
      ...(body && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
    },
  });

describe('permissions for custom types', () => {
  it.each<[string, string, string, object | undefined, number]>([
    ['reader', 'GET', `${path}/a`, undefined, 200],
    ['reader', 'GET', path, undefined, 200],
    ['reader', 'GET', `${pathOf(definition, { version: 'v2' })}/a`, undefined, 200],
    ['reader', 'GET', pathOf(definition, { namespace: '' }), undefined, 403],
    ['reader', 'POST', path, objectOf(definition, 'c'), 403],
    ['reader', 'GET', `${path}/a/status`, undefined, 403],
    ['reporter', 'PATCH', `${path}/a/status`, { status: { replicas: 1 } }, 200],
    ['reporter', 'PATCH', `${path}/a/scale`, { spec: { replicas: 2 } }, 200],
    ['reporter', 'PATCH', `${path}/a`, { spec: { replicas: 2 } }, 403],
    ['named', 'GET', `${path}/a`, undefined, 200],
    ['named', 'GET', `${path}/b`, undefined, 403],
    ['named', 'DELETE', path, undefined, 403],
    ['stranger', 'GET', path, undefined, 403],
  ])('%s: %s %s', async (user, method, where, body, expected) => {
    expect((await as(user, method, where, body)).status).toBe(expected);
  });

  it('are refused in the words for built-in types', async () => {
    expect((await as('stranger', 'GET', `${path}/a`)).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'vaults.example.com "a" is forbidden: User "stranger" cannot get resource "vaults" in API group "example.com" in the namespace "default"',
    });
  });

  it('are in reviews', async () => {
    const review = async (user: string, verb: string) => {
      const resourceAttributes = { group: 'example.com', resource: 'vaults', verb, namespace: 'default' };
      const { body } = await api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: { user, resourceAttributes },
      });
      return body.status.allowed;
    };
    expect([await review('reader', 'list'), await review('reader', 'create')]).toEqual([true, false]);
  });
});
