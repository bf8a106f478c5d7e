import { isDeepStrictEqual } from 'node:util';
import { expect, it, vi } from 'vitest';
import { recordErrors } from './record-errors.ts';
import { SharedStore } from './shared-store.ts';

/** Returns the revision of every object in the store except leases, by key. */
async function stored({ storage }: SharedStore): Promise<Map<string, number>> {
  const { entries } = await storage.range({ start: '/registry/', end: '/registry0' });
  const lasting = entries.filter(({ key }) => !key.startsWith('/registry/leases/'));
  return new Map(lasting.map(({ key, modRevision }) => [key, modRevision]));
}

/** Resolves when all servers have renewed their leases, so that each of them has had time to write. */
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

/** Waits until no object changes any more. Servers that overwrite each other's changes would never stop. */
async function atRest(store: SharedStore): Promise<void> {
  for (let round = 1; ; round++) {
    const before = await stored(store);
    await aWhile(store);
    const after = await stored(store);
    if (round === 10) expect(after).toEqual(before);
    if (isDeepStrictEqual(after, before)) return;
  }
}

/** Servers with different keys log errors about each other. */
const isAboutKeys = (message: string): boolean => message.startsWith('another server of the store');

export function describeStart(seeds: readonly number[]): void {
  it.each(seeds)(
    'servers that start at the same time on an empty store are all ready and then at rest (seed %i)',
    async (seed) => {
      const store = SharedStore.inMemory({ seed });
      const { log, errors } = recordErrors();
      const servers = await store.startAll(3, () => ({ controllers: ['*'], log }));
      for (const { api } of servers) expect((await api.get('/readyz')).status).toBe(200);
      const expected = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
      for (const { api } of servers) {
        const { items } = (await api.get('/api/v1/namespaces')).body;
        expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(expected);
      }
      await atRest(store);
      expect(errors.filter((message) => !isAboutKeys(message))).toEqual([]);
    },
  );
}
