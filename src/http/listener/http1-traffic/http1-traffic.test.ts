import { describe, expect, it } from 'vitest';
import { Random } from '../../../../test/codec/random.ts';
import { deferred } from '../test-listener.conformance.ts';
import {
  bodyOf,
  connectHttp1,
  listenForTraffic,
  type PlannedRequest,
  pipeline,
  type Writing,
  writesOf,
} from './http1-traffic.conformance.ts';
import { sendRandomTraffic } from './random-traffic.conformance.ts';

/** More than the system buffers for a connection. */
const unreadLength = 24 << 20;
const seed = Number(process.env.FUZZ_SEED ?? 1);

function planned(id: number, request: Partial<PlannedRequest> = {}): PlannedRequest {
  return { id, body: bodyOf(60_000), writing: 'at once', responseLength: 10, isStreamed: false, ...request };
}

describe.each([
  ['HTTP/1.1', true],
  ['no protocol', false],
])('a client that offers %s', (_offer, offers) => {
  it.each<[Writing, boolean]>([
    ['at once', false],
    ['head and body', false],
    ['in pieces', true],
    ['in chunks', false],
    ['after a 100', true],
  ])('may send requests %s before it reads a response (streamed: %s)', async (writing, isStreamed) => {
    const responding = deferred();
    const listener = await listenForTraffic(() => responding.resolve());
    const client = await connectHttp1(listener, { offers });
    const first = planned(0, { body: bodyOf(0), responseLength: unreadLength, isStreamed });
    await client.write(writesOf(first));
    await responding.promise;
    await pipeline(client, [planned(1), planned(2, { responseLength: 100_000 }), planned(3, { writing })], {
      before: [first],
    });
    await pipeline(client, [planned(4, { writing })]);
  });
});

it(`random requests get their own responses in order (FUZZ_SEED=${seed})`, async () => {
  const { requests } = await sendRandomTraffic(1_500, new Random(seed));
  expect(requests).toBe(1_500);
});
