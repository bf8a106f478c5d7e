import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  RbacAuthorizationV1Api,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { CuttingProxy } from './cutting-proxy.ts';

let server: Server;
let config: KubeConfig;
let core: CoreV1Api;
beforeAll(async () => {
  server = await startTestedServer({ storage: 'memory' });
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
});
afterAll(() => server.stop());

const namespace = 'default';

it('creates, lists, replaces and deletes typed objects', async () => {
  const made = await core.createNamespacedConfigMap({
    namespace,
    body: { metadata: { name: 'typed' }, data: { a: '1' } },
  });
  expect(made.metadata?.uid).toBeDefined();
  expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const { items } = await core.listNamespacedConfigMap({ namespace });
  expect(items.map(({ metadata }) => metadata?.name)).toContain('typed');
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name: 'typed',
    body: { ...made, data: { a: '2' } },
  });
  expect(replaced.data).toEqual({ a: '2' });
  await expect(
    core.replaceNamespacedConfigMap({ namespace, name: 'typed', body: { ...made, data: { a: '3' } } }),
  ).rejects.toMatchObject({ code: 409 });
  await core.deleteNamespacedConfigMap({ namespace, name: 'typed' });
  await expect(core.readNamespacedConfigMap({ namespace, name: 'typed' })).rejects.toMatchObject({ code: 404 });
});

it('works with other groups', async () => {
  const apps = config.makeApiClient(AppsV1Api);
  const labels = { app: 'web' };
  const body = {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'registry.example/web:1' }] } },
    },
  };
  const made = await apps.createNamespacedDeployment({ namespace, body });
  expect(made.metadata?.generation).toBe(1);
});

it('feeds an informer', async () => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer<V1ConfigMap>(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const seen: string[] = [];
  let wake = (): void => {};
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, (object) => {
      if (!object.metadata?.name?.startsWith('informed')) return;
      seen.push(`${event} ${object.metadata.name}`);
      wake();
    });
  }
  const until = async (count: number): Promise<void> => {
    while (seen.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'informed-1' } } });
  await informer.start();
  await until(1);
  const second = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'informed-2' } } });
  await until(2);
  await core.replaceNamespacedConfigMap({ namespace, name: 'informed-2', body: { ...second, data: { a: '1' } } });
  await until(3);
  await core.deleteNamespacedConfigMap({ namespace, name: 'informed-2' });
  await until(4);
  await informer.stop();
  expect(seen).toEqual(['add informed-1', 'add informed-2', 'update informed-2', 'delete informed-2']);
});

/** Returns a kubeconfig for a new service account with its own token. Its requests go through the proxy. */
async function newAccount(name: string, proxy: CuttingProxy): Promise<KubeConfig> {
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name } } });
  const { status } = await core.createNamespacedServiceAccountToken({
    namespace,
    name,
    body: { spec: { audiences: [] } },
  });
  const account = new KubeConfig();
  account.loadFromClusterAndUser({ ...config.getCurrentCluster()!, server: proxy.url }, { name, token: status!.token });
  return account;
}

it('feeds an informer of a service account as far as that is allowed', async () => {
  const proxy = await CuttingProxy.start(server.url);
  onTestFinished(() => proxy.stop());
  const account = await newAccount('robot', proxy);
  const robot = account.makeApiClient(CoreV1Api);
  const rbac = config.makeApiClient(RbacAuthorizationV1Api);
  const apiGroup = 'rbac.authorization.k8s.io';
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
  await rbac.createNamespacedRole({ namespace, body: { metadata: { name: 'robot' }, rules } });
  const binding = {
    metadata: { name: 'robot' },
    roleRef: { apiGroup, kind: 'Role', name: 'robot' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
  };
  const allow = () => rbac.createNamespacedRoleBinding({ namespace, body: binding });

  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer<V1ConfigMap>(account, path, () => robot.listNamespacedConfigMap({ namespace }));
  onTestFinished(() => informer.stop());
  const seen: string[] = [];
  const errors: { readonly code?: number | string; readonly statusCode?: number }[] = [];
  informer.on('add', ({ metadata }) => void (metadata?.name?.startsWith('robot') && seen.push(metadata.name)));
  informer.on('error', (error) => errors.push(error));
  const nextError = async () => {
    await vi.waitUntil(() => errors.length > 0, { interval: 5 });
    return errors.shift();
  };
  const sees = (name: string) => vi.waitUntil(() => seen.includes(name), { interval: 5 });
  const create = (name: string) => core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });

  await create('robot-1');
  await informer.start();
  expect(await nextError()).toMatchObject({ code: 403 });
  await allow();
  await informer.start();
  await sees('robot-1');
  await create('robot-2');
  await sees('robot-2');
  await expect(robot.listNamespacedConfigMap({ namespace: 'kube-system' })).rejects.toMatchObject({ code: 403 });
  await expect(robot.listConfigMapForAllNamespaces()).rejects.toMatchObject({ code: 403 });
  await expect(robot.readNamespacedConfigMap({ namespace, name: 'robot-1' })).rejects.toMatchObject({ code: 403 });

  await rbac.deleteNamespacedRoleBinding({ namespace, name: 'robot' });
  proxy.cut();
  await nextError();
  await informer.start();
  expect(await nextError()).toMatchObject({ statusCode: 403 });
  await create('robot-3');
  await allow();
  await informer.start();
  await sees('robot-3');
  expect(seen).toEqual(['robot-1', 'robot-2', 'robot-3']);
  expect(errors).toEqual([]);
});
