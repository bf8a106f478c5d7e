import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newestEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { Recorder } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

const programs = newestEtcds();
const megabyte = 1024 * 1024;

describe.skipIf(programs.length === 0).each(programs)('large values in etcd ($suite suite)', (program) => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program });
  });
  afterAll(() => cluster.stop());

  async function open(prefix: string): Promise<Storage> {
    const storage = await openEtcdStorage({ endpoints: cluster.endpoints, root: '', prefix });
    onTestFinished(() => storage.close());
    return storage;
  }

  test.each([2 * megabyte, 3 * megabyte])('a value of %i bytes is refused as too large', async (size) => {
    const storage = await open('/large');
    const commit = storage.commit({ key: '/a', expected: 0, value: Buffer.alloc(size) });
    await expect(commit).rejects.toMatchObject({ code: 'TooLarge' });
    expect(await storage.get('/a')).toBeUndefined();
  });

  test('a range of many megabytes is read, and so is their history', async () => {
    const writer = await open('/many');
    const after = await writer.latestRevision();
    const keys = Array.from({ length: 20 }, (_, index) => `/k/${String(index).padStart(2, '0')}`);
    const value = (key: string): Buffer => Buffer.alloc(megabyte, key);
    for (const key of keys) await writer.commit({ key, expected: 0, value: value(key) });
    const { entries, more } = await writer.range({ start: '/k/', end: '/k0' });
    expect(entries.map(({ key }) => key)).toEqual(keys);
    expect(more).toBe(false);
    expect(entries.every((entry) => entry.value.equals(value(entry.key)))).toBe(true);

    // etcd sends these in fragments.
    const late = await open('/many');
    const recorder = await new Recorder().watch(late, { prefix: '/k/', after });
    expect(recorder.events.map(({ key }) => key)).toEqual(keys);
    expect(recorder.events.every((event) => event.value?.equals(value(event.key)))).toBe(true);
  });
});
