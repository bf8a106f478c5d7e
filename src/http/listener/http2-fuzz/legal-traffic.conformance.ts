import fc from 'fast-check';
import { expect } from 'vitest';
import { frameTypes, preface, setting, settingsFrame, windowUpdateFrame } from '../raw-frames.conformance.ts';
import { RawHttp2Client } from '../raw-http2-client.conformance.ts';
import { connectRaw } from '../test-listener.conformance.ts';
import { asides, bodyOf, idOf, interleaved, requests, type TrafficRequest } from './traffic.conformance.ts';
import type { TrafficServer } from './traffic-server.conformance.ts';

interface Traffic {
  readonly requests: readonly TrafficRequest[];
  readonly choices: readonly number[];
  readonly asides: readonly Buffer[];
  /**
   * The initial window of each stream, and the increments by which the client then enlarges it and that of the
   * connection.
   */
  readonly window: number;
  readonly grants: readonly number[];
  readonly tableSize: number;
  /** The sizes of the writes, which need not match those of frames. */
  readonly writes: readonly number[];
}

const traffic: fc.Arbitrary<Traffic> = fc.record({
  requests: fc.array(requests, { minLength: 1, maxLength: 8 }),
  choices: fc.array(fc.nat(7), { minLength: 1, maxLength: 20 }),
  asides: fc.array(asides, { maxLength: 5 }),
  window: fc.oneof(fc.constantFrom(0, 1, 65_535, 1 << 20), fc.nat(100_000)),
  grants: fc.array(fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1_000, max: 50_000 })), {
    minLength: 1,
    maxLength: 10,
  }),
  tableSize: fc.constantFrom(0, 64, 4_096, 65_536),
  writes: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 10 }),
});

const initialWindow = 65_535;
const maxFrameSize = 16_384;

/**
 * For all legal behaviour of a client, each of its requests gets the whole response, and never more than its windows
 * allow.
 */
export function legalTrafficIsServed(server: TrafficServer): fc.IAsyncProperty<[Traffic]> {
  return fc.asyncProperty(traffic, async (sent) => {
    const socket = await connectRaw(server.listener, { ALPNProtocols: ['h2'] });
    const start = Buffer.concat([
      preface,
      settingsFrame([
        [setting.initialWindowSize, sent.window],
        [setting.headerTableSize, sent.tableSize],
      ]),
    ]);
    const client = await RawHttp2Client.handshake(socket, start);
    for (const chunk of writtenChunks(sent)) client.send(chunk);
    await drain(client, sent);
    for (const [index, request] of sent.requests.entries()) {
      const body = bodyOf(request, idOf(index)).toString() + 'r'.repeat(request.responseSize);
      expect(await client.response(idOf(index))).toEqual({ status: 200, body });
    }
    expect(await client.isAlive()).toBe(true);
    expect(client.goAwayCode).toBeUndefined();
    socket.destroy();
    await server.settled();
    expect(server.faults).toEqual([]);
  });
}

function writtenChunks({ requests: all, choices, asides: others, writes }: Traffic): Buffer[] {
  const pieces = interleaved(all, choices);
  for (const [index, aside] of others.entries())
    pieces.splice((choices[index % choices.length]! * index) % pieces.length, 0, aside);
  const bytes = Buffer.concat(pieces);
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + writes[turn % writes.length]!;
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

/** Enlarges the windows until all responses are complete. */
async function drain(client: RawHttp2Client, { requests: all, window, grants }: Traffic): Promise<void> {
  const allowed = all.map(() => window);
  let allowedInAll = initialWindow;
  for (let turn = 0; ; turn++) {
    expect(await client.isAlive()).toBe(true);
    const received = all.map((_, index) => Buffer.concat(client.dataOf(idOf(index))).length);
    for (const [index, bytes] of received.entries()) expect(bytes).toBeLessThanOrEqual(Math.max(0, allowed[index]!));
    expect(received.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(allowedInAll);
    for (const { type, payload } of client.frames) {
      if (type === frameTypes.data) expect(payload.length).toBeLessThanOrEqual(maxFrameSize);
    }
    if (all.every((_, index) => client.hasEnded(idOf(index)))) return;
    const grant = grants[turn % grants.length]! + turn * 1_000;
    allowedInAll += grant;
    client.send(windowUpdateFrame(0, grant));
    for (const index of all.keys()) {
      if (client.hasEnded(idOf(index))) continue;
      allowed[index]! += grant;
      client.send(windowUpdateFrame(idOf(index), grant));
    }
  }
}
