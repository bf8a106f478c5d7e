import { expect } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { ThreadedServer } from '../threads/threaded-server.ts';
import { runScenario } from './scenario.ts';
import { isThorough, seeds } from './seeds.ts';

const threads = 3;
const writers = 5;
const operations = isThorough ? 50 : 40;

/** Ends threads of a server this many times, one after the other, while clients write to it. */
export async function runThreadEnds(ends: number): Promise<void> {
  for (const seed of seeds(1)) {
    const threaded = await ThreadedServer.start({
      threads,
      storage: 'embedded',
      dataDir: await temporaryDirectory(),
    });
    try {
      await runScenario({
        seed,
        subject: {
          api: threaded.clients(1)[0]!,
          mayRestart: true,
          versionsExpire: false,
          // The other threads are always available.
          available: async () => {},
        },
        rounds: ends,
        writers,
        operations,
        informers: isThorough ? 16 : 8,
        during: async ({ progress, random }) => {
          await progress.pass(1 + random(writers * operations));
          if (!progress.calm) await threaded.workers.get(`api-${1 + random(threads - 1)}`)?.terminate();
        },
      });
      expect(threaded.errors.map(({ message }) => message)).toContain('a thread has ended and is started again');
    } finally {
      await threaded.stop();
    }
  }
}
