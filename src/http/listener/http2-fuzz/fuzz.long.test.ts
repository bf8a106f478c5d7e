import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectHttp2, listen } from '../test-listener.conformance.ts';
import { echoHeaders, headersRoundTrip } from './header-round-trip.conformance.ts';
import { hostileTrafficDoesNoHarm } from './hostile-traffic.conformance.ts';
import { legalTrafficIsServed } from './legal-traffic.conformance.ts';
import { TrafficServer } from './traffic-server.conformance.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** The memory in bytes: objects, and buffers outside of the heap. */
const memory = (): number => {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

it('whatever a client may do is answered', async () => {
  await fc.assert(legalTrafficIsServed(await TrafficServer.start()), { numRuns: 2_000, endOnFailure: true });
});

it('whatever else a client does harms nobody and leaves nothing behind', async () => {
  const server = await TrafficServer.start();
  const session = connectHttp2(server.listener);
  const attack = async (numRuns: number): Promise<number> => {
    await fc.assert(hostileTrafficDoesNoHarm(server, { session }), { numRuns, endOnFailure: true });
    return memory();
  };
  // First, the amount of compiled code and reused buffers must become stable.
  await attack(5_000);
  const before = await attack(1_000);
  // One kilobyte per connection would be four times as much.
  expect((await attack(4_000)) - before).toBeLessThan(1 << 20);
});

it('headers come through as they were sent', async () => {
  const listener = await listen((exchange) => void echoHeaders(exchange));
  await fc.assert(headersRoundTrip(listener), { numRuns: 1_000, endOnFailure: true });
});
