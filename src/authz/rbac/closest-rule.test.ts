import { expect, it } from 'vitest';
import type { RequestedResource } from '../authorizer.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';

const jane = { name: 'jane', uid: '', groups: [], extra: {} };
const index = new RbacIndex();
const authorizer = new RbacAuthorizer(index);
const subjects = [{ kind: 'User', name: 'jane' }];
const bind = (namespace: string, name: string, kind: string, role: string) => {
  const object = { metadata: { namespace, name }, roleRef: { apiGroup: '', kind, name: role }, subjects };
  return namespace === '' ? index.putClusterRoleBinding(object) : index.putRoleBinding(object);
};
index.putRole({
  metadata: { namespace: 'dev', name: 'reader' },
  rules: [
    { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['one', 'two'] },
    { apiGroups: ['extensions', ''], resources: ['ingresses'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['deployments/*'], verbs: ['get'] },
  ],
});
index.putClusterRole({
  metadata: { name: 'web' },
  rules: [
    { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    { apiGroups: [''], resources: ['secrets'], verbs: 'abcdefghij'.split('') },
  ],
});
bind('dev', 'readers', 'Role', 'reader');
bind('', 'web', 'ClusterRole', 'web');

const pods = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'dev', name: '' };
const reader = 'closest: RoleBinding "dev/readers" of Role "reader" allows';

it.each<[string, Partial<RequestedResource>, string | undefined]>([
  ['delete', {}, `${reader} get,list on pods, not delete`],
  ['delete', { subresource: 'log' }, `${reader} get,list on pods/log, not delete`],
  ['get', { resource: 'configmaps', name: 'x' }, `${reader} get on configmaps with the name one,two, not x`],
  ['get', { resource: 'configmaps' }, `${reader} get on configmaps with the name one,two, not without a name`],
  ['get', { namespace: 'prod' }, `${reader} get on pods in the namespace dev, not in prod`],
  ['list', { namespace: '' }, `${reader} list on pods in the namespace dev, not at the cluster scope`],
  ['get', { subresource: 'exec' }, `${reader} get on pods,pods/log, not on pods/exec`],
  [
    'get',
    { group: 'apps', resource: 'deployments', subresource: 'scale' },
    `${reader} get on deployments/*, not on deployments/scale`,
  ],
  [
    'get',
    { group: 'networking.k8s.io', resource: 'ingresses' },
    `${reader} get on ingresses in the API group extensions,"", not in networking.k8s.io`,
  ],
  ['get', { resource: 'nodes' }, undefined],
  ['delete', { namespace: 'prod' }, undefined],
  ['delete', { subresource: 'exec' }, undefined],
  [
    'k',
    { resource: 'secrets' },
    'closest: ClusterRoleBinding "web" of ClusterRole "web" allows a,b,c,d,e,f,g,h,... on secrets, not k',
  ],
  ['de\nlete', {}, `${reader} get,list on pods, not "de\\nlete"`],
])('%s %j: %s', (verb, overrides, expected) => {
  const attributes = { user: jane, verb, resource: { ...pods, ...overrides } };
  expect(authorizer.authorize(attributes).decision).toBe('no-opinion');
  expect(authorizer.closestRule(attributes)).toBe(expected);
});

it('finds rules for paths', () => {
  const closestRule = (verb: string, path: string) => authorizer.closestRule({ user: jane, verb, path });
  expect(closestRule('post', '/metrics')).toBe(
    'closest: ClusterRoleBinding "web" of ClusterRole "web" allows get on /metrics, not post',
  );
  expect(closestRule('get', '/other')).toBeUndefined();
});

it('finds nothing for a user without bindings', () => {
  expect(authorizer.closestRule({ user: { ...jane, name: 'joe' }, verb: 'get', resource: pods })).toBeUndefined();
});
