import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectHttp2, listen } from '../test-listener.conformance.ts';
import { echoHeaders, headersComeThrough } from './header-round-trip.conformance.ts';
import { hostileTrafficDoesNoHarm } from './hostile-traffic.conformance.ts';
import { legalTrafficIsAnswered } from './legal-traffic.conformance.ts';
import { TrafficServer } from './traffic-server.conformance.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** In bytes: the objects, and the buffers outside of the heap. */
const memory = (): number => {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

it('whatever a client may do is answered', async () => {
  await fc.assert(legalTrafficIsAnswered(await TrafficServer.start()), { numRuns: 2_000, endOnFailure: true });
});

it('whatever else a client does harms nobody and leaves nothing behind', async () => {
  const server = await TrafficServer.start();
  const session = connectHttp2(server.listener);
  const attack = () => fc.assert(hostileTrafficDoesNoHarm(server, { session }), { numRuns: 5_000, endOnFailure: true });
  await attack();
  const before = memory();
  await attack();
  // A kilobyte of every connection would be five times as much.
  expect(memory() - before).toBeLessThan(1 << 20);
});

it('headers come through as they were sent', async () => {
  const listener = await listen((exchange) => void echoHeaders(exchange));
  await fc.assert(headersComeThrough(listener), { numRuns: 1_000, endOnFailure: true });
});
