import { expect, it } from 'vitest';
import type { Attributes, SelectorRequirement } from '../authorizer.ts';
import { policyRules } from '../rbac/index.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import { NodeGraph } from './node-graph.ts';

const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const n1 = user('system:node:n1', 'system:nodes', 'system:authenticated');

const graph = new NodeGraph();
graph.put('Pod', {
  metadata: { name: 'p1', namespace: 'a' },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'bot',
    imagePullSecrets: [{ name: 's1' }],
    containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'c1' } }] }],
    resourceClaims: [{ name: 'r', resourceClaimName: 'r1' }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'claim1' } }],
  },
});
graph.put('PersistentVolume', { metadata: { name: 'pv1' }, spec: { claimRef: { namespace: 'a', name: 'claim1' } } });
graph.put('VolumeAttachment', { metadata: { name: 'va1' }, spec: { nodeName: 'n1' } });
graph.put('ResourceSlice', { metadata: { name: 'slice1' }, spec: { nodeName: 'n1' } });
const rules = policyRules({
  metadata: {},
  rules: [
    { apiGroups: [''], resources: ['services', 'secrets', 'nodes', 'pods'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
    { apiGroups: [''], resources: ['things'], resourceNames: ['one'], verbs: ['get'] },
  ],
});
const authorizer = new NodeAuthorizer({ graph, rules });

/** `verb group/resource[/subresource] [namespace/][name] [field selector]` */
function attributesOf(text: string, by = n1): Attributes {
  const [verb = '', type = '', item = '', selector] = text.split(' ');
  const [group = '', resource = '', subresource = ''] = type.split('/');
  const [namespace, name] = item.includes('/') ? item.split('/') : ['', item];
  const target = { group, version: 'v1', resource, subresource, namespace: namespace!, name: name! };
  if (selector === undefined) return { user: by, verb, resource: target };
  const fieldSelector = selector.split(',').map((term): SelectorRequirement => {
    const [key = '', value = ''] = term.split('=');
    return key.endsWith('!')
      ? { key: key.slice(0, -1), operator: 'NotIn', values: [value] }
      : { key, operator: 'In', values: value.split('|') };
  });
  return { user: by, verb, resource: target, selectors: () => ({ fieldSelector }) };
}

it.each([
  'get /secrets a/s1',
  'list /secrets a/s1',
  'watch /secrets a/s1',
  'get /configmaps a/c1',
  'watch /configmaps a/c1',
  'get /persistentvolumeclaims a/claim1',
  'update /persistentvolumeclaims/status a/claim1',
  'patch /persistentvolumeclaims/status a/claim1',
  'get /persistentvolumes pv1',
  'get storage.k8s.io/volumeattachments va1',
  'get resource.k8s.io/resourceclaims a/r1',
  'create /serviceaccounts/token a/bot',
  'get /serviceaccounts a/bot',
  'get /pods a/p1',
  'list /pods a/p1',
  'list /pods  spec.nodeName=n1',
  'watch /pods  status.phase=Running,spec.nodeName=n1',
  'create /pods a/',
  'delete /pods a/other',
  'patch /pods/status a/other',
  'update /pods/status a/other',
  'create /pods/eviction a/other',
  'get /nodes n1',
  'list /nodes n1',
  'watch /nodes n1',
  'create /nodes',
  'update /nodes n2',
  'patch /nodes/status n2',
  'create coordination.k8s.io/leases kube-node-lease/',
  'get coordination.k8s.io/leases kube-node-lease/n1',
  'delete coordination.k8s.io/leases kube-node-lease/n1',
  'create storage.k8s.io/csinodes',
  'patch storage.k8s.io/csinodes n1',
  'create resource.k8s.io/resourceslices',
  'delete resource.k8s.io/resourceslices slice1',
  'list resource.k8s.io/resourceslices  spec.nodeName=n1',
  'deletecollection resource.k8s.io/resourceslices  spec.nodeName=n1,spec.driver=d',
  'list /services',
  'get /services a/x',
  'create events.k8s.io/events a/',
  'get /things one',
])('a node may %s', (text) => {
  expect(authorizer.authorize(attributesOf(text))).toEqual({ decision: 'allow', reason: '' });
});

const unrelated = "no relationship found between node 'n1' and this object";
const single = 'can only get individual resources of this type';
const sameLease = 'can only access node lease with the same name as the requesting node';
const sliceSelector = 'can only list/watch/deletecollection resourceslices with nodeName field selector';
const podSelector = 'can only list/watch pods with spec.nodeName field selector';
it.each([
  ['get /secrets a/other', unrelated],
  ['get /secrets b/s1', unrelated],
  ['list /secrets a/', 'No Object name found'],
  ['list /secrets', 'can only read namespaced object of this type'],
  ['update /secrets a/s1', 'can only read resources of this type'],
  ['get /secrets/x a/s1', 'cannot read subresource'],
  ['get /configmaps a/s1', unrelated],
  ['list /persistentvolumeclaims a/claim1', single],
  ['get /persistentvolumeclaims/x a/claim1', 'cannot get subresource'],
  ['get /persistentvolumeclaims/status a/claim1', 'can only get/update/patch this type'],
  ['patch /persistentvolumeclaims/status a/other', unrelated],
  ['patch /persistentvolumeclaims a/claim1', single],
  ['get /persistentvolumes other', unrelated],
  ['get storage.k8s.io/volumeattachments other', unrelated],
  ['get resource.k8s.io/resourceclaims a/other', unrelated],
  ['create /serviceaccounts/token a/other', unrelated],
  ['get /serviceaccounts a/other', unrelated],
  ['create /serviceaccounts a/bot', 'can only create token subresource of serviceaccount'],
  ['list /serviceaccounts a/', 'can only create tokens for individual service accounts'],
  ['create /serviceaccounts/token a/', 'can only create tokens for individual service accounts'],
  ['get /pods a/other', unrelated],
  ['get /pods/log a/p1', ''],
  ['list /pods a/other', unrelated],
  ['list /pods', podSelector],
  ['list /pods a/ spec.nodeName=n2', podSelector],
  ['watch /pods  spec.nodeName!=n1', podSelector],
  ['watch /pods  spec.nodeName=n1|n2', podSelector],
  ['update /pods a/p1', ''],
  ['deletecollection /pods a/ spec.nodeName=n1', ''],
  ['patch /pods/resize a/p1', ''],
  ['get /nodes n2', "node 'n1' cannot read 'n2', only its own Node object"],
  ['list /nodes', "node 'n1' cannot read all nodes, only its own Node object"],
  ['delete /nodes n1', ''],
  ['get /nodes/status n1', ''],
  ['list coordination.k8s.io/leases kube-node-lease/n1', 'can only get, create, update, patch, or delete a node lease'],
  ['get coordination.k8s.io/leases a/n1', 'can only access leases in the "kube-node-lease" system namespace'],
  ['get coordination.k8s.io/leases kube-node-lease/n2', sameLease],
  ['list storage.k8s.io/csinodes n1', 'can only get, create, update, patch, or delete a CSINode'],
  ['get storage.k8s.io/csinodes/x n1', 'cannot authorize CSINode subresources'],
  ['update storage.k8s.io/csinodes n2', 'can only access CSINode with the same name as the requesting node'],
  ['get resource.k8s.io/resourceslices other', unrelated],
  ['list resource.k8s.io/resourceslices', sliceSelector],
  ['list resource.k8s.io/resourceslices  spec.nodeName=n2', sliceSelector],
  ['get resource.k8s.io/resourceslices/x slice1', 'cannot authorize ResourceSlice subresources'],
  [
    'approve resource.k8s.io/resourceslices slice1',
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
  ],
  ['get /things two', ''],
  ['delete /services a/x', ''],
  ['get apps/deployments a/x', ''],
])('a node may not %s', (text, reason) => {
  expect(authorizer.authorize(attributesOf(text))).toEqual({ decision: 'no-opinion', reason });
});

it('has no opinion on other users', () => {
  for (const by of [user('jane', 'system:nodes'), user('system:node:n1'), user('n1', 'system:nodes')]) {
    expect(authorizer.authorize(attributesOf('get /nodes n1', by))).toEqual({ decision: 'no-opinion', reason: '' });
    expect(authorizer.rulesFor(by, 'a')).toMatchObject({ incomplete: false, evaluationError: '' });
  }
});

it('refuses a user without a node name', () => {
  expect(authorizer.authorize(attributesOf('list /services', user('system:node:', 'system:nodes')))).toEqual({
    decision: 'no-opinion',
    reason: 'unknown node for user "system:node:"',
  });
});

it('has no opinion on paths and cannot list its rules', () => {
  expect(authorizer.authorize({ user: n1, verb: 'get', path: '/healthz' })).toEqual({
    decision: 'no-opinion',
    reason: '',
  });
  expect(authorizer.rulesFor(n1, 'a')).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  });
});
