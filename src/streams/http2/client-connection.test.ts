import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import {
  dataFrame,
  errorCode,
  fieldBlock,
  flag,
  frameTypes,
  goAwayFrame,
  headersFrame,
  padded,
  pingFrame,
  preface,
  type ReceivedFrame,
  resetFrame,
  setting,
  settingsAck,
  settingsFrame,
  windowUpdateFrame,
} from '../../http/listener/raw-frames.conformance.ts';
import { ClientConnection } from './client-connection.ts';
import type { ClientStream } from './client-stream.ts';
import { literalBlock } from './literal-block.ts';

const request = literalBlock([[':method', 'POST']]);
const headers = fieldBlock([[':status', '200']]);
const last = flag.endStream | flag.endHeaders;
const defaultWindow = 65_535;
const streamWindow = 100_000;

/** A server that sends frames, and a log of the callbacks of the client's streams. */
class TestServer {
  readonly frames: ReceivedFrame[] = [];
  readonly seen: string[] = [];
  readonly connection: ClientConnection;
  readonly clientSocket: Duplex;
  readonly #socket: Duplex;
  #rest = Buffer.alloc(0);
  #hasPreface = false;

  constructor() {
    [this.clientSocket, this.#socket] = duplexPair();
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.clientSocket.on('error', (error) => this.seen.push(error.message));
    this.connection = new ClientConnection(this.clientSocket, {
      maxHeaderSize: 1000,
      streamWindow,
      connectionWindow: 400_000,
      onReady: () => this.seen.push('ready'),
      onLeaving: () => this.seen.push('leaving'),
    });
  }

  async open(settings: readonly (readonly [number, number])[] = []): Promise<this> {
    await this.send(settingsFrame(settings));
    this.frames.length = 0;
    this.seen.length = 0;
    return this;
  }

  request(): ClientStream {
    const { seen } = this;
    const stream = this.connection.request(request, {
      onHeaders: (fields, { isLast }) => seen.push(`${stream.id} ${fields.join('=')}${isLast ? ' last' : ''}`),
      onData: (chunk) => seen.push(`${stream.id} data ${chunk.length}`),
      onClosed: (code) => seen.push(`${stream.id} closed ${code ?? ''}`.trim()),
    });
    return stream;
  }

  async send(...frames: Buffer[]): Promise<void> {
    this.#socket.write(Buffer.concat(frames));
    await this.settle();
  }

  /** Ends the connection. */
  async end(): Promise<void> {
    this.#socket.end();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  }

  ofType(type: number): ReceivedFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** The number of received data bytes. */
  get received(): number {
    return this.ofType(frameTypes.data).reduce((sum, { payload }) => sum + payload.length, 0);
  }

  #receive(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    if (!this.#hasPreface) {
      if (bytes.length < preface.length) {
        this.#rest = bytes;
        return;
      }
      expect(bytes.subarray(0, preface.length)).toEqual(preface);
      this.#hasPreface = true;
      bytes = bytes.subarray(preface.length);
    }
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      const [type, flags, id] = [bytes[3]!, bytes[4]!, bytes.readUInt32BE(5)];
      this.frames.push({ type, flags, id, payload: bytes.subarray(9, end) });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}

it('introduces itself, and is ready when the server has done so', async () => {
  const server = new TestServer();
  await server.settle();
  expect(server.frames.map(({ type, id }) => [type, id])).toEqual([
    [frameTypes.settings, 0],
    [frameTypes.windowUpdate, 0],
  ]);
  expect(server.seen).toEqual([]);
  await server.send(settingsFrame([]));
  expect(server.seen).toEqual(['ready']);
  expect(server.frames.at(-1)).toMatchObject({ type: frameTypes.settings, flags: flag.ack });
  await server.send(settingsAck, settingsFrame([]));
  expect(server.seen).toEqual(['ready']);
});

it('sends requests and passes responses on, in any order', async () => {
  const server = await new TestServer().open();
  const [first, second] = [server.request(), server.request()];
  first.end(Buffer.from('a'));
  second.end(Buffer.alloc(0));
  await server.settle();
  expect(server.frames.map(({ type, id, flags }) => [type, id, flags])).toEqual([
    [frameTypes.headers, 1, flag.endHeaders],
    [frameTypes.headers, 3, flag.endHeaders],
    [frameTypes.data, 1, flag.endStream],
    [frameTypes.data, 3, flag.endStream],
  ]);
  await server.send(headersFrame(3, headers), dataFrame(3, 'xy'), headersFrame(3, fieldBlock([['t', '1']]), last));
  await server.send(headersFrame(1, headers, flag.endHeaders), dataFrame(1, 'z', flag.endStream));
  expect(server.seen).toEqual([
    ...['3 :status=200', '3 data 2', '3 t=1 last', '3 closed'],
    ...['1 :status=200', '1 data 1', '1 closed'],
  ]);
});

it('sends the requests of one turn in one write, or at once', async () => {
  const server = await new TestServer().open();
  const writes = vi.spyOn(server.clientSocket, 'write');
  for (let count = 0; count < 3; count++) {
    server.request().end(Buffer.from('a'));
    // Later callbacks of the same turn.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  expect(writes).not.toHaveBeenCalled();
  await server.settle();
  expect(server.ofType(frameTypes.data)).toHaveLength(3);
  expect(writes).toHaveBeenCalledTimes(1);
  server.request().end(Buffer.from('a'));
  server.connection.flush();
  expect(writes).toHaveBeenCalledTimes(2);
});

it('keeps to the windows of the server, of a stream and of all together', async () => {
  const server = await new TestServer().open();
  const [first, second] = [server.request(), server.request()];
  first.end(Buffer.alloc(defaultWindow + 1));
  second.end(Buffer.alloc(10));
  await server.settle();
  expect(server.received).toBe(defaultWindow);
  await server.send(windowUpdateFrame(0, 100));
  expect(server.received).toBe(defaultWindow + 10);
  await server.send(windowUpdateFrame(1, 1));
  expect(server.received).toBe(defaultWindow + 11);
  expect(server.frames.at(-1)).toMatchObject({ type: frameTypes.data, id: 1, flags: flag.endStream });
});

it('obeys a change of the window of new streams', async () => {
  const server = await new TestServer().open([[setting.initialWindowSize, 5]]);
  server.request().end(Buffer.alloc(20));
  await server.settle();
  expect(server.received).toBe(5);
  await server.send(settingsFrame([[setting.initialWindowSize, 8]]));
  expect(server.received).toBe(8);
});

it('opens no more streams at a time than the server takes', async () => {
  const server = await new TestServer().open([[setting.maxConcurrentStreams, 1]]);
  const streams = [server.request(), server.request(), server.request()];
  for (const stream of streams) stream.end(Buffer.from('a'));
  streams[1]!.cancel();
  await server.settle();
  expect(server.ofType(frameTypes.headers)).toHaveLength(1);
  await server.send(headersFrame(1, headers, last));
  expect(server.ofType(frameTypes.headers).map(({ id }) => id)).toEqual([1, 3]);
  expect(server.ofType(frameTypes.data).map(({ id }) => id)).toEqual([1, 3]);
});

it('lets the server send more when the reader has acknowledged what came', async () => {
  const server = await new TestServer().open();
  const stream = server.request();
  const half = Buffer.alloc(10_000);
  await server.send(headersFrame(1, headers), ...Array.from({ length: 5 }, () => dataFrame(1, half)));
  expect(server.ofType(frameTypes.windowUpdate)).toEqual([]);
  stream.acknowledge(50_000);
  await server.settle();
  expect(server.ofType(frameTypes.windowUpdate)).toMatchObject([{ id: 1 }]);
});

it('does not count padding as data, but as something that was sent', async () => {
  const server = await new TestServer().open();
  const stream = server.request();
  for (let count = 0; count < 1000; count++) {
    await server.send(dataFrame(1, padded('x', 255), flag.padded));
    stream.acknowledge(1);
  }
  expect(server.seen.at(-1)).toBe('1 data 1');
  expect(server.ofType(frameTypes.windowUpdate).some(({ id }) => id === 1)).toBe(true);
});

it('drops what comes for a cancelled stream, and understands what comes after it', async () => {
  const server = await new TestServer().open();
  server.request().cancel();
  await server.settle();
  expect(server.frames.at(-1)).toMatchObject({ type: frameTypes.reset, id: 1 });
  // The second block refers to the table entry of the first one.
  const remembered = Buffer.concat([Buffer.from([0x40]), headers.subarray(1)]);
  await server.send(headersFrame(1, remembered), dataFrame(1, 'x'), resetFrame(1, errorCode.cancel));
  server.request();
  await server.send(headersFrame(3, Buffer.from([0x80 | 62])));
  expect(server.seen).toEqual(['3 :status=200']);
});

it('resets a request that is answered before it is complete', async () => {
  const server = await new TestServer().open();
  server.request().write(Buffer.from('begin'));
  await server.send(headersFrame(1, headers, last));
  expect(server.seen).toEqual(['1 :status=200 last', '1 closed']);
  expect(server.frames.at(-1)).toMatchObject({ type: frameTypes.reset, id: 1 });
});

it('resets a response with too many headers', async () => {
  const server = await new TestServer().open();
  server.request();
  await server.send(headersFrame(1, fieldBlock([['a', 'x'.repeat(2000)]])));
  expect(server.seen).toEqual([`1 closed ${errorCode.enhanceYourCalm}`]);
  expect(server.frames.at(-1)).toMatchObject({ type: frameTypes.reset, id: 1 });
});

it('tells why a stream was reset', async () => {
  const server = await new TestServer().open();
  server.request();
  await server.send(resetFrame(1, errorCode.refusedStream));
  expect(server.seen).toEqual([`1 closed ${errorCode.refusedStream}`]);
});

it('finishes what a server that leaves has taken, and nothing else', async () => {
  const server = await new TestServer().open([[setting.maxConcurrentStreams, 2]]);
  for (let count = 0; count < 3; count++) server.request();
  await server.send(goAwayFrame(1, errorCode.noError));
  const refused = errorCode.refusedStream;
  expect(server.seen).toEqual(['leaving', `0 closed ${refused}`, `3 closed ${refused}`]);
  await server.send(headersFrame(1, headers, last));
  expect(server.seen.at(-1)).toBe('1 closed');
});

it('answers pings, and is told when its own are answered', async () => {
  const server = await new TestServer().open();
  await server.send(pingFrame('12345678'));
  expect(server.frames.at(-1)).toMatchObject({ type: frameTypes.ping, flags: flag.ack });
  server.connection.ping(() => server.seen.push('pong'));
  await server.settle();
  await server.send(pingFrame(server.frames.at(-1)!.payload, flag.ack));
  expect(server.seen).toEqual(['pong']);
});

it('ends all streams with the connection', async () => {
  const server = await new TestServer().open([[setting.maxConcurrentStreams, 1]]);
  server.request();
  server.request();
  await server.end();
  expect(server.seen).toEqual(['leaving', `0 closed ${errorCode.refusedStream}`, `1 closed ${errorCode.cancel}`]);
});

it.each([
  ['bytes that are no frames', Buffer.alloc(40, 'HTTP/1.1 400 Bad Request')],
  ['data for a stream that was never opened', dataFrame(5, 'x')],
  ['headers for a stream that was never opened', headersFrame(5, headers)],
  ['a reset of a stream that was never opened', resetFrame(5, errorCode.cancel)],
  ['a block that cannot be decoded', headersFrame(1, Buffer.from([0xff]))],
  [
    'more than the window of the stream',
    Buffer.concat(Array.from({ length: 7 }, () => dataFrame(1, Buffer.alloc(16_000)))),
  ],
  ['a window that is too wide', windowUpdateFrame(0, 2 ** 31 - 1)],
  ['a window that is not widened', windowUpdateFrame(0, 0)],
  ['a promise', Buffer.concat([Buffer.from([0, 0, 4, 5, 4, 0, 0, 0, 1]), Buffer.alloc(4)])],
  ['another frame within a header block', Buffer.concat([headersFrame(1, headers, 0), pingFrame('12345678')])],
])('gives up a connection on which it gets %s', async (_what, bytes) => {
  const server = await new TestServer().open();
  server.request();
  await server.send(bytes);
  expect(server.seen).toContain('leaving');
  expect(server.seen).toContain(`1 closed ${errorCode.cancel}`);
  expect(server.seen.at(-1)).toMatch(/^the server violated the HTTP\/2 protocol \(error \d+\)$/);
  expect(server.clientSocket.destroyed).toBe(true);
});
