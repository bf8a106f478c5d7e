import { expect, it } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { runScenario } from './scenario.ts';
import { isThorough, seeds, timeLimit } from './seeds.ts';
import { KillableServer } from './tested-server.ts';

/** No controllers: none of them makes or changes config maps or pods of the test. */
const flags = ['--threads=2', '--controllers=', '--disable-admission-plugins=ServiceAccount'];

it(
  'every client is told exactly what happened, although the server is killed again and again',
  async () => {
    const writers = 5;
    const operations = isThorough ? 50 : 40;
    for (const seed of seeds(1)) {
      const subject = await KillableServer.start(await temporaryDirectory(), ...flags);
      const counts = await runScenario({
        seed,
        subject,
        rounds: 2,
        writers,
        operations,
        informers: isThorough ? 16 : 12,
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
