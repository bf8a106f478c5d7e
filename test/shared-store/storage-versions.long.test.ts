import { describe, expect, it, vi } from 'vitest';
import { type SharedServer, SharedStore, shortLeases } from './shared-store.ts';
import { all, gates, idsOf, path, serverIds } from './told-versions.ts';

describe('servers that share a store', () => {
  const collecting = { ...gates, controllers: ['storageversion-garbage-collector-controller'] };
  // Long enough for a busy machine. A server that is considered dead registers again.
  const timings = { ...shortLeases, presence: { durationSeconds: 3, renewMs: 200 } };

  /** Resolves when every object lists exactly this number of servers, and all of them have a Lease. */
  const listed = async ({ api }: SharedServer, count: number): Promise<void> => {
    await vi.waitFor(async () => {
      const ids = await serverIds(api);
      expect(ids).toHaveLength(count);
      const items = await all(api);
      expect(items.length).toBeGreaterThan(50);
      for (const item of items) expect([item.metadata.name, idsOf(item)]).toEqual([item.metadata.name, ids]);
    });
  };

  it('are all listed, and are removed when they stop or die', async () => {
    const store = SharedStore.inMemory();
    const servers = await store.startAll(3, () => ({ ...collecting, timings }));
    await listed(servers[0]!, 3);
    await servers[2]!.stop();
    await listed(servers[0]!, 2);
    servers[1]!.cutOff();
    await listed(servers[0]!, 1);
  });

  it('list themselves again after they were considered dead', async () => {
    const store = SharedStore.inMemory();
    const servers = await store.startAll(2, () => ({ ...collecting, timings }));
    await listed(servers[0]!, 2);
    const resume = servers[1]!.stall();
    try {
      await listed(servers[0]!, 1);
    } finally {
      resume();
    }
    await listed(servers[0]!, 2);
  });

  it('remove versions that no server reports any more', async () => {
    const store = SharedStore.inMemory();
    const { api } = await store.start({ ...collecting });
    const name = 'example.com.gadgets';
    const created = await api.post(path, { metadata: { name } });
    expect(created.status).toBe(200);
    const server = {
      apiServerID: 'apiserver-gone',
      encodingVersion: 'example.com/v1',
      decodableVersions: ['example.com/v1'],
    };
    const status = { storageVersions: [server], commonEncodingVersion: 'example.com/v1' };
    expect((await api.put(`${path}/${name}/status`, { ...created.body, status })).status).toBe(200);
    await vi.waitFor(async () => expect((await api.get(`${path}/${name}`)).status).toBe(404));
  });
});
