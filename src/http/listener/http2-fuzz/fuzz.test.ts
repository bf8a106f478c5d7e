import fc from 'fast-check';
import { it } from 'vitest';
import { connectHttp2, listen } from '../test-listener.conformance.ts';
import { echoHeaders, headersRoundTrip } from './header-round-trip.conformance.ts';
import { hostileTrafficDoesNoHarm } from './hostile-traffic.conformance.ts';
import { legalTrafficIsServed } from './legal-traffic.conformance.ts';
import { TrafficServer } from './traffic-server.conformance.ts';

it('whatever a client may do is answered', async () => {
  await fc.assert(legalTrafficIsServed(await TrafficServer.start()), { numRuns: 30, endOnFailure: true });
});

it('whatever else a client does harms nobody', async () => {
  const server = await TrafficServer.start();
  const session = connectHttp2(server.listener);
  await fc.assert(hostileTrafficDoesNoHarm(server, { session }), { numRuns: 100, endOnFailure: true });
});

it('headers come through as they were sent', async () => {
  const listener = await listen((exchange) => void echoHeaders(exchange));
  await fc.assert(headersRoundTrip(listener), { numRuns: 30, endOnFailure: true });
});
