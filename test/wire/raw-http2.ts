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
} from '../../src/http/listener/raw-frames.conformance.ts';
import type { TestApi } from './api.ts';
import { openSocket } from './raw-socket.ts';

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

const streamId = 1;

/** Sends one stream on a connection of its own. */
export async function sendStream(
  api: TestApi,
  sent: RawStream,
  options: ConnectionOptions = {},
): Promise<StreamOutcome> {
  const socket = await openSocket(api, { ALPNProtocols: ['h2'], ...options });
  const { fields, body, trailers } = sent;
  const headers = (content: readonly Field[], isLast: boolean): Buffer =>
    headersFrame(streamId, fieldBlock(content), flag.endHeaders | (isLast ? flag.endStream : 0));
  const parts = [opening, headers(fields, body === undefined)];
  if (body !== undefined && trailers === undefined) {
    parts.push(dataFrame(streamId, body, flag.endStream));
  } else if (body !== undefined) {
    parts.push(dataFrame(streamId, body), headers(trailers!, true));
  }
  socket.write(Buffer.concat(parts));
  try {
    return await outcomeOf(socket);
  } finally {
    socket.destroy();
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
    if (mayEnd && (flags & flag.endStream) !== 0) return done('answer');
  }
  return done('closed');
}
