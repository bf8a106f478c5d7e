import type { ConnectionOptions } from 'node:tls';
import { dataFrame, frame, opening } from '../../src/http/listener/raw-frames.conformance.ts';
import type { TestApi } from './api.ts';
import { openSocket } from './raw-socket.ts';

export type Field = readonly [name: string, value: string];

export interface RawStream {
  readonly fields: readonly Field[];
  /** Without one the headers end the stream. */
  readonly body?: string;
  /** Fields behind the body. */
  readonly trailers?: readonly Field[];
}

export interface StreamOutcome {
  /** `reset` and `closed` are refusals of the stream and of the connection. */
  readonly end: 'answer' | 'reset' | 'closed';
  readonly text: string;
}

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7, continuation: 9 };
const endStream = 1;
const endHeaders = 4;
const streamId = 1;

/** Fields as literals, none of which is remembered: every byte can be what no library would send. */
export function fieldBlock(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

/** Sends one stream on a connection of its own. */
export async function sendStream(
  api: TestApi,
  sent: RawStream,
  options: ConnectionOptions = {},
): Promise<StreamOutcome> {
  const socket = await openSocket(api, { ALPNProtocols: ['h2'], ...options });
  const { fields, body, trailers } = sent;
  const headers = (content: readonly Field[], isLast: boolean): Buffer =>
    frame(frameTypes.headers, fieldBlock(content), { id: streamId, flags: endHeaders | (isLast ? endStream : 0) });
  const parts = [opening, headers(fields, body === undefined)];
  if (body !== undefined && trailers === undefined) {
    parts.push(frame(frameTypes.data, Buffer.from(body), { id: streamId, flags: endStream }));
  } else if (body !== undefined) {
    parts.push(dataFrame(streamId, Buffer.from(body)), headers(trailers!, true));
  }
  socket.write(Buffer.concat(parts));
  try {
    return await outcomeOf(socket);
  } finally {
    socket.destroy();
  }
}

export interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** What a server sends, frame by frame, until it closes the connection. */
export async function* framesOf(socket: AsyncIterable<Buffer>): AsyncGenerator<ReceivedFrame> {
  let waiting = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 9 && waiting.length >= 9 + waiting.readUIntBE(0, 3)) {
        const end = 9 + waiting.readUIntBE(0, 3);
        const [type, flags, id] = [waiting[3]!, waiting[4]!, waiting.readUInt32BE(5)];
        yield { type, flags, id, payload: waiting.subarray(9, end) };
        waiting = waiting.subarray(end);
      }
    }
  } catch (error) {
    // However it ends, it has ended.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

async function outcomeOf(socket: AsyncIterable<Buffer>): Promise<StreamOutcome> {
  const body: Buffer[] = [];
  const done = (end: StreamOutcome['end']): StreamOutcome => ({ end, text: Buffer.concat(body).toString() });
  for await (const { type, flags, id, payload } of framesOf(socket)) {
    if (type === frameTypes.goAway && payload.readUInt32BE(4) !== 0) return done('closed');
    if (id !== streamId) continue;
    if (type === frameTypes.reset) return done('reset');
    if (type === frameTypes.data) body.push(payload);
    const mayEnd = type === frameTypes.data || type === frameTypes.headers;
    if (mayEnd && (flags & endStream) !== 0) return done('answer');
  }
  return done('closed');
}
