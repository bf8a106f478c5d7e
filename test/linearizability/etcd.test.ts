import { describe, expect, it } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { seeds, timeLimit } from '../exactness/seeds.ts';
import { etcdFaults } from './etcd-faults.ts';
import { EtcdServers } from './etcd-servers.ts';
import { runFault } from './run-fault.ts';
import { runHistory } from './run-history.ts';

describe.skipIf(fetchedEtcds().length === 0)('the history is linearizable, and every watch is told all of it', () => {
  it(
    'three on one etcd',
    async () => {
      for (const seed of seeds(1)) {
        const subject = await EtcdServers.start({ members: 1, servers: 3 });
        const counts = await runHistory({ seed, subject, workers: 8, operations: 30, informers: 4 });
        expect(counts.lost).toBe(0);
      }
    },
    timeLimit,
  );

  it(
    'three on three members, although the leader is killed',
    async () => {
      for (const seed of seeds(1)) {
        const subject = await EtcdServers.start({ members: 3, servers: 3 });
        const { changes } = await runFault({ seed, subject, fault: etcdFaults['the leader is killed']!, times: 1 });
        expect(changes).toBeGreaterThan(50);
      }
    },
    timeLimit,
  );
});
