import { expect, it } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { runScenario } from './scenario.ts';
import { seeds, timeLimit } from './seeds.ts';
import { KillableServer } from './tested-server.ts';

it(
  'every client is told exactly what happened, although the server is killed again and again',
  async () => {
    const writers = 5;
    const operations = 50;
    for (const seed of seeds(1)) {
      const subject = await KillableServer.start(await temporaryDirectory(), '--threads=2');
      const counts = await runScenario({
        seed,
        subject,
        rounds: 2,
        writers,
        operations,
        informers: 16,
        during: async ({ progress, random }) => {
          await progress.pass(1 + random(writers * operations));
          if (!progress.calm) await subject.kill();
        },
      });
      expect(counts.repeats).toBeGreaterThan(0);
    }
  },
  timeLimit,
);
