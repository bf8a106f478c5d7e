import { expect, it } from 'vitest';
import { seeds, timeLimit } from '../exactness/seeds.ts';
import { createRandom } from '../faults/random.ts';
import { runHistory } from './run-history.ts';
import { killableServer } from './servers-under-test.ts';

it(
  'the history is linearizable, and every watch receives all of it, although the server is killed repeatedly',
  async () => {
    for (const seed of seeds(1)) {
      const subject = await killableServer();
      const random = createRandom(seed);
      const counts = await runHistory({
        seed,
        subject,
        workers: 8,
        operations: 50,
        informers: 4,
        during: async (progress) => {
          for (let kill = 0; kill < 2; kill++) {
            await progress.pass(20 + random(60));
            await subject.kill();
          }
        },
      });
      expect(counts.lost).toBeGreaterThan(0);
    }
  },
  timeLimit,
);
