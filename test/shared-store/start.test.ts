import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { Logger } from '../../src/meta/logger.ts';
import { type SharedServer, SharedStore } from './shared-store.ts';

const trust = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

/** Every object in the store, but for the leases, by its key. */
async function stored({ storage }: SharedStore): Promise<Map<string, number>> {
  const { entries } = await storage.range({ start: '/registry/', end: '/registry0' });
  const lasting = entries.filter(({ key }) => !key.startsWith('/registry/leases/'));
  return new Map(lasting.map(({ key, modRevision }) => [key, modRevision]));
}

/** Resolves when all servers have renewed their leases, so that each has had its turn. */
async function aWhile({ storage }: SharedStore): Promise<void> {
  const read = async () => {
    const { entries } = await storage.range({ start: '/registry/leases/', end: '/registry/leases0' });
    return new Map(entries.map(({ key, modRevision }) => [key, modRevision]));
  };
  const before = await read();
  await vi.waitFor(async () => {
    const now = await read();
    for (const [key, revision] of before) {
      if (key.includes('/apiserver-')) expect(now.get(key)).toBeGreaterThan(revision + 2 * before.size);
    }
  });
}

/** Servers that write against each other would never rest. */
async function atRest(store: SharedStore): Promise<void> {
  for (let round = 1; ; round++) {
    const before = await stored(store);
    await aWhile(store);
    const after = await stored(store);
    if (round === 10) expect(after).toEqual(before);
    if (isDeepStrictEqual(after, before)) return;
  }
}

function recorder(): { log: Logger; errors: string[] } {
  const errors: string[] = [];
  const error = (message: string, fields?: object): void => {
    errors.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  return { log: { info: () => {}, error, flush: () => Promise.resolve() }, errors };
}

/** Servers with keys of their own complain about each other. */
const isAboutKeys = (message: string): boolean => message.startsWith('another server of the store');

describe('servers that start at the same time on an empty store', () => {
  it.each([1, 2])('are all ready and then at rest (seed %i)', async (seed) => {
    const store = SharedStore.inMemory(seed);
    const { log, errors } = recorder();
    const servers = await store.startAll(3, () => ({ controllers: ['*'], log }));
    for (const { api } of servers) expect((await api.get('/readyz')).status).toBe(200);
    const expected = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
    for (const { api } of servers) {
      const { items } = (await api.get('/api/v1/namespaces')).body;
      expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(expected);
    }
    await atRest(store);
    expect(errors.filter((message) => !isAboutKeys(message))).toEqual([]);
  });
});

it('publishes the trust of all servers', async () => {
  const store = SharedStore.inMemory();
  const servers = await store.startAll(3, () => ({ controllers: [] }));
  const { data } = (await servers[0]!.api.get(trust)).body;
  const blocks = (text: string): string[] => text.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
  const authorities = servers.map(({ api }) => api.tls.ca.toString().trim());
  expect(new Set(blocks(data['client-ca-file']))).toEqual(new Set(authorities));
  expect(blocks(data['requestheader-client-ca-file'])).toHaveLength(3);
  expect(JSON.parse(data['requestheader-allowed-names'])).toEqual(['front-proxy-client']);
});

it('tells of servers with other keys', async () => {
  const store = SharedStore.inMemory();
  const { log, errors } = recorder();
  await store.start({ log });
  const other: SharedServer = await store.start({});
  await vi.waitFor(() => {
    expect(errors.some((message) => message.includes('--service-account-signing-key-file'))).toBe(true);
    expect(errors.some((message) => message.includes('certificate of another CA'))).toBe(true);
  });
  await other.stop();
});
