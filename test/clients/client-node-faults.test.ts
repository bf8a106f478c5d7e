import { ApiException, CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type FaultAction, startTestServer, type TestServer } from '../../src/testing/index.ts';

let server: TestServer;
let config: KubeConfig;
let core: CoreV1Api;
beforeAll(async () => {
  server = await startTestServer({ enableTestApi: true, controllers: [] });
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
});
afterAll(() => server.stop());
afterEach(() => server.faults!.clear());

let namespaces = 0;
async function place(): Promise<string> {
  const name = `faults-${++namespaces}`;
  await core.createNamespace({ body: { metadata: { name } } });
  return name;
}

const create = (namespace: string, name: string) =>
  core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });

/** An informer that is restarted after errors, as its documentation recommends. */
function followed(namespace: string) {
  const list = () => core.listNamespacedConfigMap({ namespace });
  const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
  let isStopped = false;
  informer.on('error', () => void (isStopped || informer.start()));
  return {
    start: () => informer.start(),
    stop: async () => {
      isStopped = true;
      await informer.stop();
    },
    names: () => informer.list(namespace).map(({ metadata }) => metadata!.name!),
  };
}

it.each<[FaultAction, { readonly first?: number }]>([
  [{ type: 'delayEvents', ms: 5 }, {}],
  [{ type: 'endWatch' }, { first: 2 }],
  [{ type: 'endWatch', afterEvents: 1, status: { code: 410 } }, { first: 1 }],
  [{ type: 'cutWatch', afterEvents: 1 }, { first: 1 }],
  [{ type: 'compact' }, {}],
  [{ type: 'drop', when: 'before' }, { first: 1 }],
  [{ type: 'status', code: 429, retryAfterSeconds: 0 }, { first: 1 }],
  [{ type: 'staleRead' }, {}],
])('an informer knows all objects in the end, with %j %j', async (action, count) => {
  const namespace = await place();
  const informer = followed(namespace);
  await create(namespace, 'before');
  const { id } = await server.faults!.add({ match: { namespace, verb: 'watch' }, ...count, action });
  await informer.start();
  for (const name of ['a', 'b', 'c']) await create(namespace, name);
  await vi.waitUntil(() => informer.names().length === 4 && server.faults!.find(id)!.affected > 0);
  await core.deleteNamespacedConfigMap({ namespace, name: 'b' });
  await vi.waitUntil(() => informer.names().length === 3);
  expect(informer.names().sort()).toEqual(['a', 'before', 'c']);
  await informer.stop();
});

it('an informer receives events that were held back when they are released', async () => {
  const namespace = await place();
  const informer = followed(namespace);
  await informer.start();
  await vi.waitUntil(async () => {
    const { id, affected } = await server.faults!.add({
      match: { namespace, verb: 'watch' },
      action: { type: 'holdEvents' },
    });
    return affected === 1 || !server.faults!.remove(id);
  });
  await create(namespace, 'held');
  await server.untilQuiet({ forMs: 0 });
  expect(informer.names()).toEqual([]);
  server.faults!.clear();
  await vi.waitUntil(() => informer.names().length === 1);
  await informer.stop();
});

it('a list page by page gets a 410 with a token to go on', async () => {
  const namespace = await place();
  for (const name of ['a', 'b', 'c']) await create(namespace, name);
  const page = (token?: string) => core.listNamespacedConfigMap({ namespace, limit: 1, _continue: token });
  const first = await page();
  await server.faults!.add({ match: { namespace, verb: 'list' }, first: 1, action: { type: 'expireContinue' } });
  const refused = await page(first.metadata!._continue).catch((error: ApiException<string>) => error);
  expect(refused).toBeInstanceOf(ApiException);
  const { code, metadata } = JSON.parse((refused as ApiException<string>).body);
  expect(code).toBe(410);
  await expect(page(metadata.continue)).resolves.toMatchObject({ items: [{ metadata: { name: 'b' } }] });
});
