import { afterAll, beforeAll, describe } from 'vitest';
import type { Suite } from '../../../scripts/test-clients/debian-package.ts';
import { fetchedEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import type { OpenFixture } from '../conformance/fixture.conformance.ts';
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
    return {
      storage: await open(),
      reopen: open,
      dispose: async () => void (await Promise.all(opened.map((storage) => storage.close()))),
    };
  };
}
