import { expect, it } from 'vitest';
import { seeds, timeLimit } from '../exactness/seeds.ts';
import { EtcdServers } from './etcd-servers.ts';
import { runHistory } from './run-history.ts';

it.each([
  { members: 1, servers: 1 },
  { members: 1, servers: 3 },
  { members: 3, servers: 3 },
])(
  'the history is linearizable, and every watch is told all of it: $servers servers on $members members',
  async (options) => {
    for (const seed of seeds(1)) {
      const subject = await EtcdServers.start(options);
      const counts = await runHistory({ seed, subject, workers: 8, operations: 60, informers: 6 });
      console.log(counts);
      expect(counts.lost).toBe(0);
    }
  },
  timeLimit,
);
