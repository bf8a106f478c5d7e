import { expect, it } from 'vitest';
import { seeds } from '../exactness/seeds.ts';
import { createRandom } from '../faults/random.ts';
import { runHistory } from './run-history.ts';
import { killableServer, steadyServers } from './servers-under-test.ts';

it.each(Object.keys(steadyServers))('long histories are linearizable: %s', async (name) => {
  for (const seed of seeds(5)) {
    const subject = await steadyServers[name]!();
    const counts = await runHistory({ seed, subject, workers: 12, operations: 400, informers: 12 });
    expect(counts.changes).toBeGreaterThan(1000);
  }
});

it('long histories are linearizable, although the server is killed again and again', async () => {
  for (const seed of seeds(5)) {
    const subject = await killableServer();
    const random = createRandom(seed);
    const counts = await runHistory({
      ...{ seed, subject, workers: 12, operations: 300, informers: 12 },
      during: async (progress) => {
        while (!progress.calm) {
          await progress.pass(1 + random(200));
          await subject.kill();
        }
      },
    });
    expect(counts.lost).toBeGreaterThan(0);
  }
});
