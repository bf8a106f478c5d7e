import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newestEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { put } from '../conformance/fixture.conformance.ts';
import { EtcdCompactor } from './etcd-compactor.ts';
import type { TxnRequest, TxnResponse } from './messages.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

/** A record as in etcd, and the compactions that were made. */
class Record {
  readonly compactions: number[] = [];
  version = 0;
  revision = 10;
  value: Buffer = Buffer.from('');

  compactor(onCompacted: (revision: number) => void = () => {}): EtcdCompactor {
    return new EtcdCompactor({
      txn: (request) => this.#txn(request),
      compact: async (revision) => void this.compactions.push(revision),
      onCompacted,
    });
  }

  async #txn({ key, expected, value }: TxnRequest): Promise<TxnResponse> {
    const succeeded = 'version' in expected && expected.version === this.version;
    if (succeeded) {
      this.version += 1;
      this.revision += 1;
      this.value = value!;
      return { revision: this.revision, succeeded, current: undefined };
    }
    const current = { key, value: this.value, version: this.version, createRevision: 1, modRevision: this.revision };
    return { revision: this.revision, succeeded, current };
  }
}

test('in each interval one of several servers compacts, to the revision of the interval before', async () => {
  const record = new Record();
  const learned: number[] = [];
  const servers = Array.from({ length: 3 }, () => record.compactor((revision) => learned.push(revision)));
  const interval = async (): Promise<void> => {
    for (const server of servers) await server.runOnce();
  };
  await interval();
  expect(record.compactions).toEqual([]);
  record.revision = 100;
  await interval();
  expect(record.compactions).toEqual([11]);
  record.revision = 200;
  await interval();
  expect(record.compactions).toEqual([11, 101]);
  expect(learned.at(-1)).toBe(101);
});

test('another server goes on when one is gone', async () => {
  const record = new Record();
  const [first, second] = [record.compactor(), record.compactor()];
  for (let interval = 0; interval < 3; interval++) {
    await first.runOnce();
    await second.runOnce();
  }
  const before = record.compactions.length;
  await second.runOnce();
  await second.runOnce();
  expect(record.compactions.length).toBeGreaterThan(before);
});

const programs = newestEtcds();

describe.skipIf(programs.length === 0).each(programs)('compaction of etcd ($suite suite)', (program) => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program });
  });
  afterAll(() => cluster.stop());

  test('happens by itself, for all servers', async () => {
    const open = async () => {
      const storage = await openEtcdStorage({ endpoints: cluster.endpoints, compactionIntervalMs: 50 });
      onTestFinished(() => storage.close());
      return storage;
    };
    const servers = [await open(), await open()];
    const revision = await put(servers[0]!, '/registry/a', { text: '1' });
    for (const server of servers) {
      await vi.waitFor(() => expect(server.compactedRevision()).toBeGreaterThan(revision));
      // The servers agree on the revision before one of them tells etcd to compact.
      await vi.waitFor(() =>
        expect(server.get('/registry/a', { revision })).rejects.toMatchObject({ code: 'RevisionCompacted' }),
      );
      expect(await server.get('/registry/a')).toBeDefined();
    }
  });
});
