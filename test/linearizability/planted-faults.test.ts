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
import { runHistory } from './run-history.ts';
import { alwaysAvailable } from './servers-under-test.ts';

it.each(Object.keys(plantedFaults))('the checks find %s', async (name) => {
  const random = createRandom(1);
  const fault = plantedFaults[name]!(() => random(6) === 0);
  const { api } = await startTestedServer({ storage: 'memory' });
  const endpoint = await startInterferingProxy(api, fault);
  const subject = { ...alwaysAvailable, endpoints: [endpoint] };
  await expectViolation(runHistory({ seed: 1, subject, workers: 4, operations: 48, informers: 4 }));
  expect(fault.planted()).toBeGreaterThan(0);
});

it('the checks find a server that takes what it has in memory for the newest state', async () => {
  const store = createMemoryStorage();
  const random = createRandom(1);
  // A server that does so from the beginning does not even start.
  let lags = true;
  const start = async (): Promise<Endpoint> => {
    // Longer than a write and the read after it take on a busy machine.
    const storage = new LaggingStorage(store, { delayMs: () => random(lags ? 10 : 200) });
    const trusted = Object.defineProperty(storage, 'watchesLag', { get: () => lags });
    const { api } = await startTestedServer({}, { start: (options) => startServerOn(async () => trusted, options) });
    return api;
  };
  const endpoints = [await start(), await start()];
  lags = false;
  const subject = { ...alwaysAvailable, endpoints };
  await expectViolation(runHistory({ seed: 1, subject, workers: 4, operations: 48, informers: 4 }));
});

async function expectViolation(history: Promise<unknown>): Promise<void> {
  const expected = { message: expect.stringContaining('seed 1'), cause: expect.any(Violation) };
  await expect(history).rejects.toMatchObject(expected);
}
