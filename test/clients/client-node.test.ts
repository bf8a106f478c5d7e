import { AppsV1Api, CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Server, startServer } from '../../src/index.ts';

let server: Server;
let config: KubeConfig;
let core: CoreV1Api;
beforeAll(async () => {
  server = await startServer({ storage: 'memory' });
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
