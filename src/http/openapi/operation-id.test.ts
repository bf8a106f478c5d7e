import { expect, test } from 'vitest';
import { groupWord, operationId, tagOf } from './operation-id.ts';

test.each([
  ['', 'Core', 'core_v1'],
  ['apps', 'Apps', 'apps_v1'],
  ['rbac.authorization.k8s.io', 'RbacAuthorization', 'rbacAuthorization_v1'],
  ['flowcontrol.apiserver.k8s.io', 'FlowcontrolApiserver', 'flowcontrolApiserver_v1'],
  ['ex.io', 'ExIo', 'exIo_v1'],
  ['cert-manager.io', 'CertManagerIo', 'certManagerIo_v1'],
  ['gateway.networking.k8s.io', 'GatewayNetworking', 'gatewayNetworking_v1'],
])('group %j is %s', (group, word, tag) => {
  expect(groupWord(group)).toBe(word);
  expect(tagOf({ group, version: 'v1' })).toBe(tag);
});

const pod = { group: '', version: 'v1', namespaced: true, kind: 'Pod' };

test.each([
  [{ ...pod, verb: 'list' }, 'listCoreV1NamespacedPod'],
  [{ ...pod, verb: 'list', namespaced: false, suffix: 'ForAllNamespaces' }, 'listCoreV1PodForAllNamespaces'],
  [{ ...pod, verb: 'delete', infix: 'Collection' }, 'deleteCoreV1CollectionNamespacedPod'],
  [{ ...pod, verb: 'connect', infix: 'Get', suffix: 'Exec' }, 'connectCoreV1GetNamespacedPodExec'],
  [{ ...pod, verb: 'read', namespaced: false, kind: 'Node', suffix: 'Status' }, 'readCoreV1NodeStatus'],
  [{ verb: 'list', group: 'ex.io', version: 'v1', namespaced: false, kind: 'thing' }, 'listExIoV1Thing'],
])('%o is %s', (operation, id) => {
  expect(operationId(operation)).toBe(id);
});
