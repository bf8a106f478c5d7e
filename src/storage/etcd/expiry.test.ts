import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newestEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import type { TimeToLive } from './leases.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

const programs = newestEtcds();

describe.skipIf(programs.length === 0).each(programs)('keys that expire in etcd ($suite suite)', (program) => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program });
  });
  afterAll(() => cluster.stop());

  async function open(prefix: string, ttl: readonly TimeToLive[]): Promise<Storage> {
    const storage = await openEtcdStorage({ endpoints: cluster.endpoints, root: '', prefix, ttl });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('are deleted after their time, and others are not', async () => {
    const storage = await open('/a', [{ prefix: '/events/', seconds: 1 }]);
    const recorder = await new Recorder().watch(storage, { prefix: '/', after: await storage.latestRevision() });
    await Promise.all(
      ['/events/1', '/events/2', '/events/3', '/other/1'].map((key) => put(storage, key, { text: 'x' })),
    );
    await recorder.until(7);
    const deleted = recorder.events.slice(4);
    expect(deleted.map(({ key, value, previous }) => [key, value, String(previous?.value)]).toSorted()).toEqual([
      ['/events/1', undefined, 'x'],
      ['/events/2', undefined, 'x'],
      ['/events/3', undefined, 'x'],
    ]);
    const { entries } = await storage.range({ start: '/', end: '0' });
    expect(entries.map(({ key }) => key)).toEqual(['/other/1']);
  });

  test('can be written when their lease is gone', async () => {
    const storage = await open('/b', [{ prefix: '/events/', seconds: 3600 }]);
    const first = await put(storage, '/events/1', { text: '1' });
    await revokeLeases(cluster.endpoints[0]!);
    expect(await storage.get('/events/1')).toBeUndefined();
    expect(await put(storage, '/events/2', { text: '2' })).toBeGreaterThan(first);
    expect(await storage.get('/events/2')).toBeDefined();
  });
});

async function revokeLeases(endpoint: string): Promise<void> {
  const call = async (path: string, body: object): Promise<{ leases?: { ID: string }[] }> => {
    const response = await fetch(`${endpoint}/v3/lease/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as { leases?: { ID: string }[] };
  };
  const { leases = [] } = await call('leases', {});
  expect(leases).not.toHaveLength(0);
  for (const { ID } of leases) await call('revoke', { ID });
}
