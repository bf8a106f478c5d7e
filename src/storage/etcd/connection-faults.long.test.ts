import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fetchedEtcds } from '../../../scripts/test-clients/etcd.ts';
import { CuttingProxy } from '../../../test/clients/cutting-proxy.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';
import { WriteLoad } from './write-load.conformance.ts';

const programs = fetchedEtcds();

describe.skipIf(programs.length === 0).each(programs)('a connection to etcd ($suite suite)', (program) => {
  let cluster: EtcdCluster;
  let proxy: CuttingProxy;
  let direct: Storage;
  beforeEach(async () => {
    cluster = await EtcdCluster.start({ program });
    proxy = await CuttingProxy.start(cluster.endpoints[0]!);
    direct = await open(cluster.endpoints);
  });
  afterEach(async () => {
    await proxy.stop();
    await cluster.stop();
  });

  async function open(endpoints: readonly string[], timeoutMs = 3000): Promise<Storage> {
    const storage = await openEtcdStorage({ endpoints, root: '', prefix: '/x', timeoutMs });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('is made again whenever it breaks, and what was acknowledged is there', async () => {
    const load = await WriteLoad.start(await open([proxy.url]));
    for (let round = 0; round < 10; round++) {
      await load.succeed(20);
      proxy.cut();
    }
    await load.succeed(20);
    await load.verify();
  });

  test('makes calls fail at once when it is gone, until it is back', async () => {
    const storage = await open([proxy.url]);
    const recorder = await new Recorder().watch(storage, { prefix: '/', after: await storage.latestRevision() });
    proxy.refuse();
    await vi.waitFor(() => expect(storage.get('/a')).rejects.toMatchObject({ code: 'Unavailable' }));
    await expect(storage.latestRevision()).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(storage.probe(new AbortController().signal)).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(put(storage, '/a', { text: '1' })).rejects.toMatchObject({ code: 'Unavailable' });
    await put(direct, '/b', { text: '2' });
    proxy.accept();
    await vi.waitFor(() => put(storage, '/c', { text: '3' }));
    await recorder.until(2);
    expect(recorder.events.map(({ key }) => key)).toEqual(['/b', '/c']);
    expect(recorder.errors).toEqual([]);
  });

  test('ends the watches when it is gone for too long: what they missed is compacted', async () => {
    const storage = await open([proxy.url]);
    await put(storage, '/a', { text: '1' });
    const recorder = await new Recorder().watch(storage, { prefix: '/', after: await storage.latestRevision() });
    proxy.refuse();
    await put(direct, '/b', { text: '1' });
    const latest = await put(direct, '/c', { text: '1' });
    await direct.compact(latest);
    proxy.accept();
    await vi.waitFor(() => expect(recorder.errors).toMatchObject([{ code: 'RevisionCompacted' }]));
    expect(recorder.events).toEqual([]);
    const again = await new Recorder().watch(storage, { prefix: '/', after: latest });
    await put(direct, '/d', { text: '1' });
    await again.until(1);
    expect(again.events.map(({ key }) => key)).toEqual(['/d']);
  });

  test('to a member that stops responding: the outcome of a write is unknown, and it happens at most once', async () => {
    const storage = await open(cluster.endpoints, 1000);
    const revision = await put(storage, '/a', { text: '1' });
    await cluster.members[0]!.pause();
    const change = { key: '/a', expected: revision, value: Buffer.from('2') };
    await expect(storage.commit(change)).rejects.toMatchObject({ code: 'OutcomeUnknown' });
    await expect(storage.get('/a')).rejects.toMatchObject({ code: 'Unavailable' });
    cluster.members[0]!.resume();
    const current = await vi.waitFor(async () => (await storage.get('/a'))!);
    const repeated = await storage.commit(change);
    const entry = await storage.get('/a');
    expect(String(entry?.value)).toBe('2');
    if (repeated.committed) expect(String(current.value)).toBe('1');
    else expect(repeated.current).toEqual(entry);
  });

  test('to a store that was set back ends the watches, and follows the new one', async () => {
    const storage = await open(cluster.endpoints);
    for (const key of ['/a', '/b', '/c']) await put(storage, key, { text: '1' });
    const recorder = await new Recorder().watch(storage, { prefix: '/', after: await storage.latestRevision() });
    const [member] = cluster.members;
    await member!.kill();
    await member!.forget();
    await member!.start();
    await vi.waitFor(() => expect(recorder.errors).toMatchObject([{ code: 'RevisionCompacted' }]));
    expect(recorder.events).toEqual([]);
    const after = await storage.latestRevision();
    const again = await new Recorder().watch(storage, { prefix: '/', after });
    await put(storage, '/d', { text: '1' });
    await again.until(1);
    expect(again.events.map(({ key, revision }) => [key, revision])).toEqual([['/d', after + 1]]);
  });

  test('is refused when nothing listens', async () => {
    await cluster.stop();
    await expect(open(cluster.endpoints)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
