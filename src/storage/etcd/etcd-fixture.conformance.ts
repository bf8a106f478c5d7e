import { afterAll, beforeAll, describe } from 'vitest';
import type { Suite } from '../../../scripts/test-clients/debian-package.ts';
import { fetchedEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { type OpenFixture, put, Recorder } from '../conformance/fixture.conformance.ts';
import { describeStorage } from '../storage.conformance.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

/** The conformance suite on the etcd of a Debian release. Skipped when it could not be downloaded. */
export function describeEtcd(suite: Suite, { randomRuns }: { randomRuns: number }): void {
  const program = fetchedEtcds().find((fetched) => fetched.suite === suite);
  describe.skipIf(program === undefined)(`etcd of Debian (${suite} suite)`, () => {
    let cluster: EtcdCluster;
    beforeAll(async () => {
      cluster = await EtcdCluster.start({ program: program! });
    });
    afterAll(() => cluster.stop());
    describeStorage(
      'storage',
      etcdFixture(() => cluster),
      { singleWriter: false, randomRuns },
    );
  });
}

let prefixes = 0;

/**
 * Stores in one cluster, each with a separate prefix. Only one of them may be written at a time, because they share
 * revisions.
 */
function etcdFixture(cluster: () => EtcdCluster): OpenFixture {
  return async () => {
    prefixes += 1;
    const settings = { endpoints: cluster().endpoints, root: '', prefix: `/store-${prefixes}` };
    const opened: Storage[] = [];
    const open = async (): Promise<Storage> => {
      const storage = await openEtcdStorage(settings);
      opened.push(storage);
      return storage;
    };
    const storage = await open();
    return {
      storage,
      reopen: open,
      ready: () => watchesReachLatest(storage),
      dispose: async () => void (await Promise.all(opened.map((storage) => storage.close()))),
    };
  };
}

/**
 * Waits until watches of the store have received everything. When another store compacts the shared history, etcd ends
 * the watches that have not received all of it.
 */
async function watchesReachLatest(storage: Storage): Promise<void> {
  const key = '/latest';
  const expected = (await storage.get(key))?.modRevision ?? 0;
  const revision = await put(storage, key, { text: '', expected });
  const recorder = await new Recorder().watch(storage, { prefix: key, after: revision - 1 });
  await recorder.until(1);
  recorder.abort();
}
