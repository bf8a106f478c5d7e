import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newestEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

const programs = newestEtcds();

describe.skipIf(programs.length === 0).each(programs)('etcd ($suite suite) with keys of others', (program) => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program });
  });
  afterAll(() => cluster.stop());

  async function open(prefix: string, root = '/registry'): Promise<Storage> {
    const storage = await openEtcdStorage({ endpoints: cluster.endpoints, root, prefix });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('watches reach revisions that others have written', async () => {
    const [own, other] = [await open('/a'), await open('/b')];
    const after = await own.latestRevision();
    const reached = Promise.withResolvers<void>();
    let wanted = Number.POSITIVE_INFINITY;
    let position = 0;
    const received: string[] = [];
    const controller = new AbortController();
    await own.watch({
      prefix: '/registry/x/',
      after,
      onEvents: (events) => received.push(...events.map(({ key }) => key)),
      onProgress: (revision) => {
        position = revision;
        if (revision >= wanted) reached.resolve();
      },
      onError: reached.reject,
      signal: controller.signal,
    });
    for (const name of ['1', '2', '3']) await put(other, `/registry/x/${name}`, { text: name });
    wanted = await own.latestRevision();
    expect(wanted).toBe(after + 3);
    if (position < wanted) await reached.promise;
    controller.abort();
    expect(received).toEqual([]);
  });

  test('a watch from the past catches up through revisions of others', async () => {
    const [writer, other] = [await open('/c'), await open('/d')];
    const after = await writer.latestRevision();
    const first = await put(writer, '/registry/x/1', { text: '1' });
    for (const name of ['1', '2', '3']) await put(other, `/registry/x/${name}`, { text: name });
    // This store is opened after all these writes, so its feed starts later.
    const late = await open('/c');
    const all = await new Recorder().watch(late, { prefix: '/registry/x/', after });
    expect(all.events.map(({ key, revision }) => [key, revision])).toEqual([['/registry/x/1', first]]);
    const none = await new Recorder().watch(late, { prefix: '/registry/y/', after });
    const second = await put(writer, '/registry/y/2', { text: '2' });
    await none.until(1);
    expect(none.events.map(({ revision }) => revision)).toEqual([second]);
  });

  test('keys have the prefix in etcd, and only those with the prefix are seen', async () => {
    const [own, longer, raw] = [await open('/p'), await open('/p2'), await open('', '')];
    const recorder = await new Recorder().watch(own, { prefix: '', after: await own.latestRevision() });
    await put(longer, '/registry/x/1', { text: 'longer' });
    await put(own, '/registry/x/1', { text: 'own' });
    await recorder.until(1);
    expect(recorder.events.map(({ key, value }) => [key, String(value)])).toEqual([['/registry/x/1', 'own']]);
    expect(String((await raw.get('/p/x/1'))?.value)).toBe('own');
    for (const range of [
      { start: '/registry/', end: '/registry0' },
      { start: '/', end: '0' },
      { start: '/registry/x/', end: '/s' },
    ]) {
      const { entries } = await own.range(range);
      expect(entries.map(({ key, value }) => [key, String(value)])).toEqual([['/registry/x/1', 'own']]);
    }
  });
});
