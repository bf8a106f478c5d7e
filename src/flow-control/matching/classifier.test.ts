import { expect, it } from 'vitest';
import { requestInfo } from '../../http/request-info.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { FlowSchema, PolicyRulesWithSubjects } from '../../resources/flowcontrol/flow-schema-types.ts';
import { mandatoryObjects, suggestedObjects } from '../objects/default-objects.ts';
import { nameOf } from '../objects/flow-objects.ts';
import { Classifier } from './classifier.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const authenticated = (name: string, ...groups: string[]): UserInfo => user(name, ...groups, 'system:authenticated');

function classifierOf(schemas: readonly FlowSchema[]) {
  const sorted = schemas.toSorted((a, b) => a.spec!.matchingPrecedence! - b.spec!.matchingPrecedence!);
  const served = sorted.map((object) => ({ object }));
  return new Classifier(served, { object: { metadata: { name: 'last resort' } } });
}

const byDefault = classifierOf([...mandatoryObjects.schemas, ...suggestedObjects.schemas]);
const kubelet = authenticated('system:node:n1', 'system:nodes');
const manager = authenticated('system:kube-controller-manager');
const jane = authenticated('jane');
const account = (namespace: string) =>
  authenticated(
    `system:serviceaccount:${namespace}:a`,
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace}`,
  );
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

it.each<[user: UserInfo, method: string, path: string, schema: string]>([
  [authenticated('admin', 'system:masters'), 'GET', '/api/v1/pods', 'exempt'],
  [authenticated('admin', 'system:masters'), 'GET', '/version', 'exempt'],
  [user('system:anonymous', 'system:unauthenticated'), 'GET', '/readyz', 'probes'],
  [jane, 'GET', '/livez', 'probes'],
  [jane, 'GET', '/livez/ping', 'global-default'],
  [jane, 'POST', '/livez', 'global-default'],
  [kubelet, 'PUT', `${leases}/n1`, 'system-node-high'],
  [kubelet, 'PATCH', '/api/v1/nodes/n1/status', 'system-node-high'],
  [kubelet, 'GET', '/api/v1/nodes/n1/proxy', 'system-nodes'],
  [kubelet, 'GET', '/api/v1/pods', 'system-nodes'],
  [manager, 'PUT', `${leases}/m`, 'system-leader-election'],
  [manager, 'DELETE', `${leases}/m`, 'kube-controller-manager'],
  [manager, 'GET', '/apis/coordination.k8s.io/v1/leases/m', 'kube-controller-manager'],
  [account('kube-system'), 'GET', `${leases}/m`, 'system-leader-election'],
  [account('kube-system'), 'GET', '/api/v1/pods', 'kube-system-service-accounts'],
  [account('shop'), 'GET', '/api/v1/pods', 'service-accounts'],
  [jane, 'GET', '/api/v1/pods', 'global-default'],
  [jane, 'GET', '/apis', 'global-default'],
  [user('nobody'), 'GET', '/api/v1/pods', 'last resort'],
])('%o, %s %s: %s', (who, method, path, schema) => {
  const found = () => nameOf(byDefault.classify(who, requestInfo(method, path, '')).object);
  expect(found()).toBe(schema);
  // The second lookup uses the cached schemas of the user.
  expect(found()).toBe(schema);
});

const anybody = [{ kind: 'User', user: { name: '*' } }];
const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };

it.each<[what: string, rules: PolicyRulesWithSubjects, matched: readonly string[], others: readonly string[]]>([
  [
    'a namespace',
    { resourceRules: [{ ...rule, clusterScope: false, namespaces: ['a'] }] },
    ['/api/v1/namespaces/a/pods', '/api/v1/namespaces/a'],
    ['/api/v1/pods', '/api/v1/namespaces/b/pods', '/api/v1/namespaces', '/api/v1/nodes/a'],
  ],
  [
    'the scope of the cluster',
    { resourceRules: [{ ...rule, namespaces: [] }] },
    ['/api/v1/pods', '/api/v1/nodes/n'],
    ['/api/v1/namespaces/a/pods'],
  ],
  [
    'a subresource',
    { resourceRules: [{ ...rule, resources: ['pods/log'] }] },
    ['/api/v1/namespaces/a/pods/p/log'],
    ['/api/v1/namespaces/a/pods/p', '/api/v1/namespaces/a/pods/p/status'],
  ],
  [
    'a group',
    { resourceRules: [{ ...rule, apiGroups: ['apps'] }] },
    ['/apis/apps/v1/deployments'],
    ['/api/v1/pods', '/apis/batch/v1/jobs', '/apis/apps/v1'],
  ],
  [
    'a path and all below it',
    { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/debug/*'] }] },
    ['/metrics', '/debug/a', '/debug/a/b'],
    ['/metrics/slis', '/debug', '/api/v1/pods', '/'],
  ],
])('a rule for %s', (_what, rules, matched, others) => {
  const schema = { metadata: { name: 's' }, spec: { matchingPrecedence: 1, rules: [{ subjects: anybody, ...rules }] } };
  const classifier = classifierOf([schema]);
  const isMatched = (path: string) => nameOf(classifier.classify(jane, requestInfo('GET', path, '')).object) === 's';
  expect(matched.filter((path) => !isMatched(path))).toEqual([]);
  expect(others.filter(isMatched)).toEqual([]);
});
