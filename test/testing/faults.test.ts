import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, startTestServer, type TestServer } from '../../src/testing/index.ts';
import { TestApi } from '../wire/api.ts';

// Mistakes in controllers, each next to the correct code, and the fault that reveals the difference.

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ enableTestApi: true, controllers: [] });
});
afterAll(() => server.stop());
afterEach(() => {
  server.faults!.clear();
  server.faults!.clearLog();
});

const configMaps = (client: Client) => client.resource({ group: '', version: 'v1', resource: 'configmaps' }, 'default');
/** The client of the test server has its own user, which a rule must name. */
const user = 'system:apiserver';

describe('a create whose answer is lost', () => {
  /** Retries until the response says that the object exists. */
  async function ensure(metadata: { readonly name: string } | { readonly generateName: string }): Promise<void> {
    for (;;) {
      try {
        await configMaps(server.client).create({ metadata });
        return;
      } catch (error) {
        if ((error as { code?: number }).code === 409) return;
      }
    }
  }

  test.each([
    ['once, with a name that follows from its owner', { name: 'right-child' }, 1],
    ['twice, with a generated name', { generateName: 'wrong-' }, 2],
  ])('is made %s', async (_, metadata, expected) => {
    const match = { user, verb: 'create', resource: 'configmaps' };
    await server.faults!.add({ match, nth: 1, action: { type: 'drop', when: 'after' } });
    await ensure(metadata);
    const { items } = await configMaps(server.client).list();
    const prefix = Object.values(metadata)[0]!;
    expect(items.filter((item) => item.metadata.name?.startsWith(prefix))).toHaveLength(expected);
  });
});

describe('a watch that ends with a 410', () => {
  /** Follows the names of the config maps until it has seen the last one. */
  async function follow(last: string, { listsAgain }: { readonly listsAgain: boolean }): Promise<Set<string>> {
    const seen = new Set<string>();
    const { signal } = new AbortController();
    let resourceVersion = (await configMaps(server.client).list()).metadata.resourceVersion;
    while (!seen.has(last)) {
      for await (const { type, object } of configMaps(server.client).watch({ resourceVersion }, signal)) {
        if (type !== 'ERROR') seen.add(object.metadata.name!);
        if (seen.has(last)) break;
      }
      const list = await configMaps(server.client).list();
      // Without a new list, this is a mistake: the follower continues with the current version and misses the changes
      // in between.
      resourceVersion = list.metadata.resourceVersion;
      if (listsAgain) for (const { metadata } of list.items) seen.add(metadata.name!);
    }
    return seen;
  }

  test.each([true, false])('loses nothing if the follower lists again: %s', async (listsAgain) => {
    const [hidden, last] = [`hidden-${listsAgain}`, `last-${listsAgain}`];
    const match = { user, verb: 'watch', resource: 'configmaps' };
    const held = await server.faults!.add({ match, action: { type: 'holdEvents' } });
    const following = follow(last, { listsAgain });
    await expect.poll(() => server.faults!.log()).toHaveLength(1);
    await configMaps(server.client).create({ metadata: { name: hidden } });
    await server.faults!.add({ id: 'gone', match, first: 1, action: { type: 'endWatch', status: { code: 410 } } });
    server.faults!.remove(held.id);
    // At the second watch, the follower has recovered, or wrongly assumes so.
    await expect.poll(() => server.faults!.find('gone')!.matched).toBe(2);
    await configMaps(server.client).create({ metadata: { name: last } });
    expect((await following).has(hidden)).toBe(listsAgain);
  });
});

describe('a server that responds with 429', () => {
  interface Refusal {
    readonly code?: number;
    readonly status?: { readonly details?: { readonly retryAfterSeconds?: number } };
  }

  async function read(onRefusal: (refusal: Refusal) => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await configMaps(server.client).list();
        return;
      } catch (error) {
        if ((error as Refusal).code !== 429) throw error;
        await onRefusal(error as Refusal);
      }
    }
  }

  test.each([
    ['waits as long as it was told', (refusal: Refusal) => refusal.status?.details?.retryAfterSeconds ?? 0, [7, 7, 7]],
    ['does not wait', () => 0, [0, 0, 0]],
  ])('learns that a client %s', async (_, waitOf, expected) => {
    const status = { type: 'status', code: 429, retryAfterSeconds: 7 } as const;
    await server.faults!.add({ match: { user, verb: 'list' }, first: 3, action: status });
    const waits: number[] = [];
    await read(async (refusal) => void waits.push(waitOf(refusal)));
    expect(waits).toEqual(expected);
    expect(server.faults!.log()).toHaveLength(3);
  });
});

describe('faults over HTTP', () => {
  const path = '/keelson/faults';
  function connected(): TestApi {
    const api = new TestApi(server);
    onTestFinished(() => api.disconnect());
    return api;
  }

  test('are not for others', async () => {
    const api = connected();
    expect((await api.get(path)).status).toBe(200);
    expect((await api.get(path, { headers: { 'impersonate-user': 'alice' } })).status).toBe(403);
  });

  test('are refused with the reason', async () => {
    const api = connected();
    const { status, body } = await api.post(path, { action: { type: 'explode' } });
    expect(status).toBe(400);
    expect(body.message).toContain('action.type: must be one of');
  });

  test('do not exist on a server without them', async () => {
    const api = await TestApi.start();
    onTestFinished(() => api.stop());
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await api.call(method, path, { body: {} })).status, method).toBe(404);
    }
  });
});
