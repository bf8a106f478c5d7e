import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestApi } from '../wire/api.ts';
import { define, definitionOf, definitions, objectOf, pathOf } from '../wire/custom-types.ts';
import { configureWebhooks } from '../wire/webhook-configurations.ts';
import { WebhookServer } from '../wire/webhook-server.ts';
import { statusesOf, ThreadedServer } from './threaded-server.ts';

let hooks: WebhookServer;
beforeAll(async () => {
  hooks = await WebhookServer.start();
});
afterAll(() => hooks.stop());

const namespacePath = (name: string): string => `/api/v1/namespaces/${name}`;

/** Blocks the creates of a type in one namespace. */
async function holdCreates(
  api: TestApi,
  { namespace, group, resource }: Record<'namespace' | 'group' | 'resource', string>,
) {
  const rule = { apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] };
  const webhook = { clientConfig: hooks.clientConfigFor('hold'), rules: [rule], timeoutSeconds: 30 };
  await configureWebhooks(api, 'validating', { namespace, webhooks: [webhook] });
}

async function gone(api: TestApi, path: string): Promise<void> {
  await vi.waitFor(async () => expect((await api.get(path)).status).toBe(404));
}

/** Returns the namespaces that contain config maps. */
async function namespacesOfConfigMaps(api: TestApi): Promise<string[]> {
  const { body } = await api.get('/api/v1/configmaps');
  return body.items.map(({ metadata }: { metadata: { namespace: string } }) => metadata.namespace);
}

describe.each([1, 3])('requests that webhooks hold up on %i threads', (threads) => {
  let threaded: ThreadedServer;
  let clients: readonly TestApi[];
  let first: TestApi;

  beforeAll(async () => {
    threaded = await ThreadedServer.start({ threads, controllers: ['namespace-controller'] });
    clients = threaded.clients(8);
    first = clients[0]!;
  });
  afterAll(() => threaded.stop());

  async function createNamespaces(...names: string[]): Promise<void> {
    for (const name of names) await first.post('/api/v1/namespaces', { metadata: { name } });
  }

  it('leave nothing in their namespace, which is deleted after them', async () => {
    await createNamespaces('held', 'other');
    await holdCreates(first, { namespace: 'held', group: '', resource: 'configmaps' });
    const created = statusesOf(clients, (api, index) =>
      api.post(`${namespacePath('held')}/configmaps`, { metadata: { name: `c${index}` } }),
    );
    await hooks.holds(clients.length);
    for (const name of ['held', 'other']) expect((await first.delete(namespacePath(name))).status).toBe(200);
    // Only the deletion of the namespace of these requests waits for them.
    await gone(first, namespacePath('other'));
    expect((await first.get(namespacePath('held'))).body.status.phase).toBe('Terminating');
    hooks.release();
    expect(await created).toEqual(clients.map(() => 200));
    await gone(first, namespacePath('held'));
    expect(await namespacesOfConfigMaps(first)).not.toContain('held');
  });

  it('leave nothing of their type, which is deleted after them', async () => {
    const [held, other] = [definitionOf({ singular: 'held' }), definitionOf({ singular: 'other' })];
    for (const definition of [held, other]) await define(first, definition);
    await holdCreates(first, { namespace: 'default', group: 'example.com', resource: 'helds' });
    const created = statusesOf(clients, (api, index) => api.post(pathOf(held), objectOf(held, `o${index}`)));
    await hooks.holds(clients.length);
    for (const { metadata } of [held, other]) await first.delete(`${definitions}/${metadata.name}`);
    await gone(first, `${definitions}/${other.metadata.name}`);
    expect((await first.get(`${definitions}/${held.metadata.name}`)).status).toBe(200);
    hooks.release();
    expect(await created).toEqual(clients.map(() => 200));
    await gone(first, `${definitions}/${held.metadata.name}`);
    await define(first, held);
    expect((await first.get(pathOf(held))).body.items).toEqual([]);
  });

  it.skipIf(threads === 1)('are over when their thread ends', async () => {
    await createNamespaces('lost');
    await holdCreates(first, { namespace: 'lost', group: '', resource: 'configmaps' });
    const created = clients.map((api, index) =>
      api.post(`${namespacePath('lost')}/configmaps`, { metadata: { name: `c${index}` } }),
    );
    const settled = Promise.allSettled(created);
    await hooks.holds(clients.length);
    expect((await first.delete(namespacePath('lost'))).status).toBe(200);
    const workers = [...threaded.workers].filter(([name]) => name.startsWith('api-'));
    expect(workers).toHaveLength(threads - 1);
    await Promise.all(workers.map(([, worker]) => worker.terminate()));
    // Releases the requests of the first thread.
    hooks.release();
    expect((await settled).map(({ status }) => status)).toContain('rejected');
    const [again] = threaded.clients(1) as [TestApi];
    await gone(again, namespacePath('lost'));
    expect(await namespacesOfConfigMaps(again)).not.toContain('lost');
  });
});
