import { describe, expect, it } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { seeds, timeLimit } from '../exactness/seeds.ts';
import { EtcdServers } from './etcd-servers.ts';
import { runHistory } from './run-history.ts';
import { longPatienceMs } from './servers-under-test.ts';

/** The long test covers faults of members and servers. */
describe.skipIf(fetchedEtcds().length === 0)('the history is linearizable, and every watch receives all of it', () => {
  it(
    'three on one etcd',
    async () => {
      for (const seed of seeds(1)) {
        const subject = await EtcdServers.start({ members: 1, servers: 3, patienceMs: longPatienceMs });
        const counts = await runHistory({ seed, subject, workers: 6, operations: 25, informers: 3 });
        expect(counts.lost).toBe(0);
      }
    },
    timeLimit,
  );
});
