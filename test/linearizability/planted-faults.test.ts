import { expect, it } from 'vitest';
import { startTestedServer } from '../exactness/tested-server.ts';
import { Violation } from '../exactness/violation.ts';
import { createRandom } from '../faults/random.ts';
import { startInterferingProxy } from './interfering-proxy.ts';
import { plantedFaults } from './planted-faults.ts';
import { runHistory } from './run-history.ts';

it.each(Object.keys(plantedFaults))('the checks find %s', async (name) => {
  const random = createRandom(1);
  const fault = plantedFaults[name]!(() => random(6) === 0);
  const { api, ...availability } = await startTestedServer({ storage: 'memory' });
  const endpoint = await startInterferingProxy(api, fault);
  const subject = { ...availability, endpoints: [endpoint], starts: () => 1 };
  const history = runHistory({ seed: 1, subject, workers: 4, operations: 60, informers: 4 });
  await expect(history).rejects.toMatchObject({
    message: expect.stringContaining('seed 1'),
    cause: expect.any(Violation),
  });
  expect(fault.planted()).toBeGreaterThan(0);
});
