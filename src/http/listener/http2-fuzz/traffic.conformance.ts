import fc from 'fast-check';
import {
  continuationFrame,
  dataFrame,
  type Field,
  fieldBlock,
  flag,
  frame,
  headersFrame,
  padded,
  pingFrame,
  priority,
  priorityFrame,
  settingsFrame,
} from '../raw-frames.conformance.ts';

/** One request and how its client splits it into frames. */
export interface TrafficRequest {
  /** The sizes of its DATA frames. Without any, the headers end the stream. */
  readonly body: readonly number[];
  readonly response: 'whole' | 'streamed';
  readonly responseSize: number;
  /** The offsets in the header block at which CONTINUATION frames start. */
  readonly splits: readonly number[];
  readonly padding: number | undefined;
  readonly hasPriority: boolean;
  readonly hasTrailers: boolean;
}

export const requests: fc.Arbitrary<TrafficRequest> = fc.record({
  body: fc.array(fc.oneof(fc.constant(0), fc.nat(2_000)), { maxLength: 4 }),
  response: fc.constantFrom('whole', 'streamed'),
  responseSize: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(40_000)),
  splits: fc.array(fc.nat(80), { maxLength: 3 }),
  padding: fc.option(fc.nat(255), { nil: undefined }),
  hasPriority: fc.boolean(),
  hasTrailers: fc.boolean(),
});

/** Frames without an effect on the streams. */
export const asides: fc.Arbitrary<Buffer> = fc.oneof(
  fc.constant(pingFrame('anywhere')),
  fc.nat(40).map((id) => priorityFrame(2 * id + 1, { dependsOn: 2 * id + 3 })),
  fc.nat(100).map((size) => frame(0x20 + size, Buffer.alloc(size), { id: size })),
  fc.constant(settingsFrame([])),
);

export const idOf = (index: number): number => 2 * index + 1;

/** The bytes of a request's body. Each stream has its own. */
export const bodyOf = ({ body }: TrafficRequest, id: number): Buffer =>
  Buffer.alloc(
    body.reduce((sum, size) => sum + size, 0),
    `${id},`,
  );

/**
 * A request as pieces, between which frames of other streams may be sent. The fields are those of `TrafficServer`,
 * which responds with the body and then this number of bytes.
 */
export function piecesOf(request: TrafficRequest, id: number): Buffer[] {
  const { body, response, responseSize, hasTrailers } = request;
  const hasBody = body.length > 0 || hasTrailers;
  const block = fieldBlock([
    [':method', hasBody ? 'POST' : 'GET'],
    [':scheme', 'https'],
    [':authority', 'x'],
    [':path', `/${response}/${responseSize}`],
    ['x-stream', String(id)],
  ]);
  const pieces = [headersOf(request, id, { block, isLast: !hasBody })];
  const bytes = bodyOf(request, id);
  let at = 0;
  for (const [index, size] of body.entries()) {
    const isLast = index === body.length - 1 && !hasTrailers;
    pieces.push(dataOf(request, id, { bytes: bytes.subarray(at, at + size), isLast }));
    at += size;
  }
  const trailers: Field[] = [['x-trailer', 'yes']];
  if (hasTrailers) pieces.push(headersOf(request, id, { block: fieldBlock(trailers), isLast: true }));
  return pieces;
}

function dataOf(
  { padding }: TrafficRequest,
  id: number,
  { bytes, isLast }: { bytes: Buffer; isLast: boolean },
): Buffer {
  const end = isLast ? flag.endStream : 0;
  return padding === undefined ? dataFrame(id, bytes, end) : dataFrame(id, padded(bytes, padding), end | flag.padded);
}

function headersOf(
  { splits, padding, hasPriority }: TrafficRequest,
  id: number,
  { block, isLast }: { block: Buffer; isLast: boolean },
): Buffer {
  const ends = [...new Set(splits)].filter((split) => split < block.length).sort((a, b) => a - b);
  const fragments = [0, ...ends].map((start, index) => block.subarray(start, ends[index] ?? block.length));
  let first = fragments[0]!;
  let flags = (isLast ? flag.endStream : 0) | (fragments.length === 1 ? flag.endHeaders : 0);
  if (hasPriority) {
    first = Buffer.concat([priority({ weight: id % 256 }), first]);
    flags |= flag.priority;
  }
  if (padding !== undefined) {
    first = padded(first, padding);
    flags |= flag.padded;
  }
  return Buffer.concat([
    headersFrame(id, first, flags),
    ...fragments
      .slice(1)
      .map((fragment, index) => continuationFrame(id, fragment, index === fragments.length - 2 ? flag.endHeaders : 0)),
  ]);
}

/**
 * Returns the pieces of all requests in an order that the choices determine. Streams begin in the order of their
 * numbers.
 */
export function interleaved(all: readonly TrafficRequest[], choices: readonly number[]): Buffer[] {
  const queues = all.map((request, index) => piecesOf(request, idOf(index)));
  const result: Buffer[] = [];
  let started = 0;
  for (let turn = 0; ; turn++) {
    const open = queues.slice(0, started + 1).filter((queue) => queue.length > 0);
    if (open.length === 0) return result;
    const queue = open[(choices[turn % choices.length] ?? 0) % open.length]!;
    if (queue === queues[started]) started++;
    result.push(queue.shift()!);
  }
}
