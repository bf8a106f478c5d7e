import { expect } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { runScenario } from './scenario.ts';
import { isThorough, seeds } from './seeds.ts';
import { KillableServer } from './tested-server.ts';

/** No controllers run, so that only the test creates or changes config maps and pods. */
const flags = ['--threads=2', '--controllers=', '--disable-admission-plugins=ServiceAccount'];
const writers = 5;
const operations = isThorough ? 50 : 40;

/** Kills a server this many times while clients write to it. */
export async function runKills(kills: number): Promise<void> {
  for (const seed of seeds(1)) {
    const subject = await KillableServer.start(await temporaryDirectory(), ...flags);
    const counts = await runScenario({
      seed,
      subject,
      rounds: kills,
      writers,
      operations,
      informers: isThorough ? 16 : 8,
      during: async ({ progress, random }) => {
        await progress.pass(1 + random(writers * operations));
        if (!progress.calm) await subject.kill();
      },
    });
    expect(subject.starts).toBeGreaterThan(1);
    // Whether clients resume from versions before their latest one is random.
    if (kills > 2) expect(counts.repeats).toBeGreaterThan(0);
  }
}
