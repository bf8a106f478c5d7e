import { expect, it } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { startLagging } from '../shared-store/lagging-server.ts';
import { runScenario } from './scenario.ts';
import { isThorough, seeds, timeLimit } from './seeds.ts';
import { startTestedServer } from './tested-server.ts';

const size = isThorough ? { operations: 60, informers: 16 } : { operations: 40, informers: 12 };

it.each(['memory', 'embedded', 'lagging'] as const)(
  'every client receives exactly what happened: %s',
  async (storage) => {
    for (const seed of seeds(1)) {
      const dataDir = storage === 'embedded' ? await temporaryDirectory() : undefined;
      const subject = await (storage === 'lagging'
        ? startTestedServer({}, { start: startLagging })
        : startTestedServer({ storage, ...(dataDir !== undefined && { dataDir }) }));
      const counts = await runScenario({ seed, subject, rounds: 1, writers: 5, ...size });
      expect(counts.cuts).toBeGreaterThan(0);
      expect(counts.repeats).toBeGreaterThan(0);
    }
  },
  timeLimit,
);
