import { expect, it } from 'vitest';
import { seeds, timeLimit } from '../exactness/seeds.ts';
import { runHistory } from './run-history.ts';
import { steadyServers } from './servers-under-test.ts';

it.each(Object.keys(steadyServers))(
  'the history is linearizable, and every watch receives all of it: %s',
  async (name) => {
    for (const seed of seeds(1)) {
      const subject = await steadyServers[name]!();
      const counts = await runHistory({ seed, subject, workers: 6, operations: 25, informers: 3 });
      expect(counts.changes).toBeGreaterThan(30);
      expect(counts.cachedReads).toBeGreaterThan(3);
    }
  },
  timeLimit,
);
