import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/index.ts';
import { freePorts } from '../free-ports.ts';

const statusAt = (address: string, port: number): Promise<number | string> =>
  fetch(`http://${address}:${port}/readyz`).then(
    ({ status }) => status,
    (error: Error) => (error.cause as NodeJS.ErrnoException).code!,
  );

// Elsewhere, 127.0.0.2 is not an address of the machine.
it.skipIf(process.platform !== 'linux').each([
  [undefined, { '127.0.0.1': 200, '127.0.0.2': 'ECONNREFUSED' }],
  ['127.0.0.2', { '127.0.0.1': 'ECONNREFUSED', '127.0.0.2': 200 }],
])('the port for health checks is open on the address %s only', async (healthBindAddress, expected) => {
  const [healthPort] = await freePorts(1);
  const server = await startServer({ storage: 'memory', bindAddress: '0.0.0.0', healthPort, healthBindAddress });
  onTestFinished(() => server.stop());
  const found = Object.keys(expected).map(async (address) => [address, await statusAt(address, healthPort!)] as const);
  expect(Object.fromEntries(await Promise.all(found))).toEqual(expected);
});
