import { expect } from 'vitest';
import {
  dataFrame,
  errorCode,
  type Field,
  fieldBlock,
  flag,
  frameTypes,
  headersFrame,
  type ReceivedFrame,
} from '../raw-frames.conformance.ts';
import type { RawHttp2Client } from '../raw-http2-client.conformance.ts';

/** An action between frames, or a check at the end. */
export type Step = (client: RawHttp2Client) => Promise<void>;

/** A rule of HTTP/2 for servers: what a client sends after the exchange of settings, and the expected reaction. */
export interface Rule {
  readonly name: string;
  /** Frames, and the conditions to wait for before the next frames. */
  readonly send: readonly (Buffer | Step)[];
  readonly expect: Step;
  /** The start of the connection, instead of the preface and settings. */
  readonly start?: Buffer;
}

export type Rules = Readonly<Record<string, readonly Rule[]>>;

export const greeting = 'what was asked for';

const request = (changes: Readonly<Record<string, string>>): Field[] =>
  Object.entries({ ':method': 'GET', ':scheme': 'https', ':path': '/', ':authority': 'x', ...changes });

/** The fields of a request, followed by the others. */
export function fields(changes: Readonly<Record<string, string>> = {}, ...others: readonly Field[]): Buffer {
  return fieldBlock([...request(changes), ...others]);
}

export const without = (name: string): Buffer => fieldBlock(request({}).filter(([field]) => field !== name));

/** A field of this length in bytes. */
export const dummy = (length = 100): Buffer => fieldBlock([['x-dummy', 'd'.repeat(length)]]);

export const last: number = flag.endHeaders | flag.endStream;

export const get = (id: number): Buffer => headersFrame(id, fields(), last);
/** The headers of a POST, without the end of the stream. */
export const post = (id: number, ...others: readonly Field[]): Buffer =>
  headersFrame(id, fields({ ':method': 'POST' }, ...others));
/** A request that gets no response. */
export const held = (id: number): Buffer => headersFrame(id, fields({ ':path': '/held' }), last);
export const heldPost = (id: number): Buffer => headersFrame(id, fields({ ':path': '/held', ':method': 'POST' }));
export const lastData = (id: number, text = 'test'): Buffer => dataFrame(id, text, flag.endStream);

/** Expects the whole response, and that the connection continues. */
export const responds =
  (id: number, body = greeting): Step =>
  async (client) => {
    expect(await client.response(id)).toEqual({ status: 200, body });
    expect(await client.isAlive()).toBe(true);
  };

export const alive: Step = async (client) => {
  expect(await client.isAlive()).toBe(true);
  expect(client.goAwayCode).toBeUndefined();
};

/**
 * Waits for a frame that the server sends by itself. If the server answers pings without sending the frame, it will not
 * come.
 */
async function ending(client: RawHttp2Client, matches: (frame: ReceivedFrame) => boolean) {
  for (let pings = 0; pings < 3; pings++) {
    const found = client.frames.find(matches);
    if (found !== undefined || !(await client.isAlive())) break;
  }
  return client.frames.find(matches);
}

/** Expects that the server reports one of these errors and closes the connection. */
export const connectionError =
  (...codes: readonly number[]): Step =>
  async (client) => {
    await ending(client, ({ type }) => type === frameTypes.goAway);
    expect(nameOf(client.goAwayCode)).toBeOneOf(codes.map(nameOf));
    await client.until(() => client.isClosed);
  };

/**
 * Expects that only the stream ends and the connection continues, unless the server treats the error as a connection
 * error.
 */
export const streamError =
  (id: number, ...codes: readonly number[]): Step =>
  async (client) => {
    const isEnd = ({ type, id: of }: ReceivedFrame): boolean =>
      type === frameTypes.goAway || (type === frameTypes.reset && of === id);
    const end = await ending(client, isEnd);
    if (end?.type === frameTypes.reset) {
      expect(nameOf(end.payload.readUInt32BE())).toBeOneOf(codes.map(nameOf));
      expect(await client.isAlive()).toBe(true);
    } else {
      await connectionError(...codes)(client);
    }
  };

/** Expects that the stream gets exactly this number of bytes in DATA frames, and nothing more until windows grow. */
export const dataOf =
  (id: number, length: number): Step =>
  async (client) => {
    const size = (): number => Buffer.concat(client.dataOf(id)).length;
    await client.until(() => size() >= length);
    expect(await client.isAlive()).toBe(true);
    expect(size()).toBe(length);
  };

export const closed: Step = async (client) => client.until(() => client.isClosed);

export const streamEnded =
  (id: number): Step =>
  async (client) => {
    await client.response(id);
  };

function nameOf(code: number | undefined): string {
  return Object.entries(errorCode).find(([, value]) => value === code)?.[0] ?? `code ${code}`;
}
