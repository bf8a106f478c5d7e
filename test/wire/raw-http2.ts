import type { ConnectionOptions } from 'node:tls';
import {
  dataFrame,
  type Field,
  fieldBlock,
  flag,
  framesOf,
  frameTypes,
  headersFrame,
  opening,
  type ReceivedFrame,
} from '../../src/http/listener/raw-frames.conformance.ts';
import type { TestApi } from './api.ts';
import { openSocket } from './raw-socket.ts';

export interface RawStream {
  readonly fields: readonly Field[];
  /** Without a body, the headers end the stream. */
  readonly body?: string;
  /** Header fields after the body. */
  readonly trailers?: readonly Field[];
}

export interface StreamOutcome {
  /** `reset` means that the stream was rejected, `closed` that the connection was closed. */
  readonly end: 'answer' | 'reset' | 'closed';
  readonly text: string;
}

/** Sends one stream on a new connection. */
export async function sendStream(
  api: TestApi,
  sent: RawStream,
  options: ConnectionOptions = {},
): Promise<StreamOutcome> {
  return (await sendStreams(api, [sent], options))[0]!;
}

/**
 * Sends streams on one connection. If it closes before all streams have ended, the remaining ones are sent again. The
 * first of them is sent alone, because it may be the one that causes the close.
 */
export async function sendStreams(
  api: TestApi,
  streams: readonly RawStream[],
  options: ConnectionOptions = {},
): Promise<StreamOutcome[]> {
  if (streams.length === 0) return [];
  const socket = await openSocket(api, { ALPNProtocols: ['h2'], ...options });
  socket.write(Buffer.concat([opening, ...streams.flatMap((stream, index) => framesOfStream(idOf(index), stream))]));
  const outcomes = new Outcomes(streams.length);
  try {
    for await (const frame of framesOf(socket)) if (outcomes.take(frame)) break;
  } finally {
    socket.destroy();
  }
  const known = outcomes.known();
  if (known.length === streams.length) return known;
  if (streams.length === 1) return [{ end: 'closed', text: outcomes.textOf(0) }];
  const [next, ...others] = streams.slice(known.length);
  return [...known, await sendStream(api, next!, options), ...(await sendStreams(api, others, options))];
}

const idOf = (index: number): number => 2 * index + 1;

function framesOfStream(id: number, { fields, body, trailers }: RawStream): Buffer[] {
  const headers = (content: readonly Field[], isLast: boolean): Buffer =>
    headersFrame(id, fieldBlock(content), flag.endHeaders | (isLast ? flag.endStream : 0));
  if (body === undefined) return [headers(fields, true)];
  if (trailers === undefined) return [headers(fields, false), dataFrame(id, body, flag.endStream)];
  return [headers(fields, false), dataFrame(id, body), headers(trailers, true)];
}

class Outcomes {
  readonly #bodies: Buffer[][];
  readonly #ends: (StreamOutcome['end'] | undefined)[];

  constructor(count: number) {
    this.#bodies = Array.from({ length: count }, () => []);
    this.#ends = this.#bodies.map(() => undefined);
  }

  /** Takes a frame. Returns whether it was the last relevant one. */
  take({ type, flags, id, payload }: ReceivedFrame): boolean {
    if (type === frameTypes.goAway) return payload.readUInt32BE(4) !== 0;
    const index = (id - 1) / 2;
    if (!(index in this.#bodies)) return false;
    // After a complete response, a reset only means that the rest of the body is not needed.
    if (type === frameTypes.reset) this.#ends[index] ??= 'reset';
    if (type === frameTypes.data) this.#bodies[index]!.push(payload);
    const mayEnd = type === frameTypes.data || type === frameTypes.headers;
    if (mayEnd && (flags & flag.endStream) !== 0) this.#ends[index] = 'answer';
    return this.#ends.every((end) => end !== undefined);
  }

  /** Returns the outcomes of the streams before the first one without an end. */
  known(): StreamOutcome[] {
    const missing = this.#ends.indexOf(undefined);
    const ends = missing === -1 ? this.#ends : this.#ends.slice(0, missing);
    return ends.map((end, index) => ({ end: end!, text: this.textOf(index) }));
  }

  textOf(index: number): string {
    return Buffer.concat(this.#bodies[index]!).toString();
  }
}
