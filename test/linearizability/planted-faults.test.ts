import { expect, it } from 'vitest';
import { startServerOn } from '../../src/server/start-server.ts';
import { createMemoryStorage } from '../../src/storage/index.ts';
import { LaggingStorage } from '../../src/storage/lagging-storage.conformance.ts';
import type { Endpoint } from '../exactness/connection.ts';
import { startTestedServer } from '../exactness/tested-server.ts';
import { Violation } from '../exactness/violation.ts';
import { createRandom } from '../faults/random.ts';
import { startInterferingProxy } from './interfering-proxy.ts';
import { plantedFaults } from './planted-faults.ts';
import { type HistoryOptions, runHistory } from './run-history.ts';
import { alwaysAvailable } from './servers-under-test.ts';

/** Faults that need conflicts between clients. Most short histories have none. */
const rareFaults = ['a read of an object as it was before', 'a write in spite of its precondition'];

it.each(Object.keys(plantedFaults))('the checks find %s', (name) =>
  expectViolation({ operations: rareFaults.includes(name) ? 40 : 14, informers: 2 }, async (seed) => {
    const random = createRandom(seed);
    const fault = plantedFaults[name]!(() => random(2) === 0);
    const { api } = await startTestedServer({ storage: 'memory' });
    return { endpoints: [await startInterferingProxy(api, fault)], planted: fault.planted };
  }),
);

it('the checks find a server that returns its cached state as the latest one', () =>
  expectViolation({ operations: 20, informers: 2 }, async (seed) => {
    const store = createMemoryStorage();
    const random = createRandom(seed);
    // A server with this fault from the beginning would not start.
    let lags = true;
    const start = async (): Promise<Endpoint> => {
      // The delay is longer than a write and the following read take on a busy machine.
      const storage = new LaggingStorage(store, { delayMs: () => random(lags ? 10 : 200) });
      const trusted = Object.defineProperty(storage, 'watchesLag', { get: () => lags });
      const { api } = await startTestedServer({}, { start: (options) => startServerOn(async () => trusted, options) });
      return api;
    };
    const endpoints = [await start(), await start()];
    lags = false;
    return { endpoints, planted: () => 1 };
  }));

interface Faulty {
  readonly endpoints: readonly Endpoint[];
  /** The number of faults that occurred. */
  planted(): number;
}

/** One short history may miss a fault, but not several. The test ends with the first that finds one. */
const maxHistories = 16;

async function expectViolation(
  size: Pick<HistoryOptions, 'operations' | 'informers'>,
  start: (seed: number) => Promise<Faulty>,
): Promise<void> {
  const without: string[] = [];
  for (let seed = 1; seed <= maxHistories; seed++) {
    const { endpoints, planted } = await start(seed);
    const subject = { ...alwaysAvailable, endpoints };
    const error = await runHistory({ seed, subject, workers: 4, ...size }).then(
      () => undefined,
      (reason) => reason,
    );
    if (error === undefined) {
      without.push(`${planted()} faults with seed ${seed}`);
      continue;
    }
    expect(error).toMatchObject({ message: expect.stringContaining(`seed ${seed}`), cause: expect.any(Violation) });
    expect(planted()).toBeGreaterThan(0);
    return;
  }
  expect.fail(`nothing was found: ${without.join(', ')}`);
}
