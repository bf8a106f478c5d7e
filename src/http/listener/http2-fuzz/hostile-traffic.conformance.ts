import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  continuationFrame,
  dataFrame,
  fieldBlock,
  flag,
  frame,
  framesOf,
  frameTypes,
  headersFrame,
  opening,
  preface,
  type ReceivedFrame,
  resetFrame,
  setting,
  settingsFrame,
  windowUpdateFrame,
} from '../raw-frames.conformance.ts';
import { caCert, sendInSession } from '../test-listener.conformance.ts';
import { asides, interleaved, requests } from './traffic.conformance.ts';
import type { TrafficServer } from './traffic-server.conformance.ts';

const ids = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1));
const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const uint32 = fc.oneof(fc.nat(100), fc.constantFrom(0, 65_535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1));
const tunnelBlock = fieldBlock([
  [':method', 'CONNECT'],
  [':protocol', 'websocket'],
  [':scheme', 'https'],
  [':authority', 'x'],
  [':path', '/tunnel'],
]);

const blocks = fc.oneof(
  bytes(60),
  fc.constant(tunnelBlock),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(':method', ':path', ':scheme', ':authority', 'x', 'te', 'content-length', 'cookie', ''),
        fc.string({ maxLength: 10 }),
      ),
      { maxLength: 6 },
    )
    .map(fieldBlock),
  fc.constantFrom('/whole/3', '/held', '/abort', '/streamed/100000').map((path) =>
    fieldBlock([
      [':method', 'POST'],
      [':scheme', 'https'],
      [':authority', 'x'],
      [':path', path],
    ]),
  ),
);

/** Frames of every type, valid or invalid. */
const strays: fc.Arbitrary<Buffer> = fc.oneof(
  asides,
  fc
    .record({ type: fc.nat(11), flags: fc.nat(255), id: ids, payload: bytes(40) })
    .map(({ type, flags, id, payload }) => frame(type, payload, { id, flags })),
  fc.tuple(ids, blocks, fc.nat(255)).map(([id, block, flags]) => headersFrame(id, block, flags)),
  fc
    .tuple(ids, blocks, fc.constantFrom(flag.endHeaders, flag.endHeaders | flag.endStream))
    .map(([id, block, flags]) => headersFrame(id, block, flags)),
  fc
    .tuple(ids, blocks, fc.constantFrom(0, flag.endHeaders))
    .map(([id, block, flags]) => continuationFrame(id, block, flags)),
  fc
    .tuple(ids, bytes(200), fc.constantFrom(0, flag.endStream, flag.padded))
    .map(([id, data, flags]) => dataFrame(id, data, flags)),
  fc.tuple(ids, uint32).map(([id, code]) => resetFrame(id, code)),
  fc.tuple(ids, uint32).map(([id, increment]) => windowUpdateFrame(id, increment)),
  fc.array(fc.tuple(fc.nat(9), uint32), { maxLength: 4 }).map(settingsFrame),
  bytes(30),
);

/** Changes to the frames of usual clients: by position, with a value. */
const changes = fc.array(
  fc.record({
    kind: fc.constantFrom('flip', 'drop', 'repeat', 'swap', 'cut', 'insert'),
    at: fc.nat(1_000),
    value: fc.nat(255),
    stray: strays,
  }),
  { minLength: 1, maxLength: 6 },
);

interface Hostility {
  readonly pieces: readonly Buffer[];
  /** The number of bytes per write. */
  readonly write: number;
  readonly ending: 'end' | 'destroy';
}

const mutated = fc
  .tuple(
    fc.array(requests, { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat(7), { minLength: 1, maxLength: 8 }),
    changes,
  )
  .map(([all, choices, steps]) => {
    const pieces = [opening, ...interleaved(all, choices)];
    for (const { kind, at, value, stray } of steps) {
      const index = at % pieces.length;
      const piece = pieces[index]!;
      if (kind === 'insert') pieces.splice(index, 0, stray);
      else if (kind === 'drop' && pieces.length > 1) pieces.splice(index, 1);
      else if (kind === 'repeat') pieces.splice(index, 0, piece);
      else if (kind === 'swap') pieces.push(...pieces.splice(index, 1));
      else if (kind === 'cut') pieces[index] = piece.subarray(0, value % (piece.length + 1));
      else if (piece.length > 0) {
        pieces[index] = Buffer.from(piece);
        // Most of the relevant bytes are at the start of a frame.
        pieces[index]![value % Math.min(piece.length, 40)]! ^= 1 << (at % 8);
      }
    }
    return pieces;
  });

const hostility: fc.Arbitrary<Hostility> = fc.record({
  pieces: fc.oneof(
    mutated,
    fc.array(strays, { maxLength: 30 }).map((frames) => [opening, ...frames]),
    fc.array(strays, { maxLength: 5 }).map((frames) => [preface, ...frames]),
  ),
  write: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1 << 20)),
  ending: fc.constantFrom('end', 'end', 'destroy'),
});

export interface Healthy {
  readonly session: Parameters<typeof sendInSession>[0];
}

/**
 * Whatever a client sends, the server sends valid frames, releases the streams when the client disconnects, and
 * continues to serve another connection.
 */
export function hostileTrafficDoesNoHarm(server: TrafficServer, { session }: Healthy): fc.IAsyncProperty<[Hostility]> {
  return fc.asyncProperty(hostility, async ({ pieces, write, ending }) => {
    const socket = connect({ host: '127.0.0.1', port: server.listener.port, ca: caCert, ALPNProtocols: ['h2'] });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    const received = readAll(socket);
    const sent = Buffer.concat(pieces);
    await writeAll(socket, sent, write);
    if (ending === 'end') socket.end();
    else socket.destroy();
    checkFrames(await received, largestFrameSize(sent));
    expect((await sendInSession(session, { path: '/whole/10' })).body.toString()).toBe('rrrrrrrrrr');
    await server.settled();
    expect(server.faults).toEqual([]);
  });
}

async function readAll(socket: TLSSocket): Promise<ReceivedFrame[]> {
  const frames: ReceivedFrame[] = [];
  for await (const received of framesOf(socket)) frames.push(received);
  return frames;
}

async function writeAll(socket: TLSSocket, bytes: Buffer, size: number): Promise<void> {
  // Only a part of the bytes is sent in many small writes.
  const small = Math.min(bytes.length, 40 * size);
  for (let at = 0; at < small && !socket.destroyed; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (small < bytes.length && !socket.destroyed) socket.write(bytes.subarray(small));
}

/** Anything that could be parsed as a setting of the maximum frame size counts as one. */
function largestFrameSize(sent: Buffer): number {
  let largest = 16_384;
  for (let at = 0; at + 6 <= sent.length; at++) {
    const value = sent.readUInt16BE(at) === setting.maxFrameSize ? sent.readUInt32BE(at + 2) : 0;
    if (value < 1 << 24) largest = Math.max(largest, value);
  }
  return largest;
}

/** Checks rules that hold for the frames of every server, for any input. */
function checkFrames(frames: readonly ReceivedFrame[], largest: number): void {
  const ended = new Set<number>();
  for (const [index, { type, flags, id, payload }] of frames.entries()) {
    if (index === 0) expect(type).toBe(frameTypes.settings);
    expect(type).toBeLessThanOrEqual(frameTypes.continuation);
    expect(payload.length).toBeLessThanOrEqual(largest);
    const isMessage = type === frameTypes.headers || type === frameTypes.data;
    if (isMessage) {
      expect(id % 2).toBe(1);
      expect(ended).not.toContain(id);
    }
    if (type === frameTypes.settings || type === frameTypes.ping || type === frameTypes.goAway) expect(id).toBe(0);
    if (type === frameTypes.windowUpdate) expect(payload.readUInt32BE()).toBeGreaterThan(0);
    if ((isMessage && (flags & flag.endStream) !== 0) || type === frameTypes.reset) ended.add(id);
  }
}
