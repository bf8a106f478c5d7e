import { describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../exchange.ts';
import {
  continuationFrame,
  dataFrame,
  errorCode,
  type Field,
  fieldBlock,
  flag,
  frameTypes,
  headersFrame,
  preface,
  resetFrame,
  setting,
  settingsFrame,
  windowUpdateFrame,
} from './raw-frames.conformance.ts';
import { RawHttp2Client } from './raw-http2-client.conformance.ts';
import { connectHttp2, connectRaw, deferred, listen, sendInSession } from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };
const last = flag.endHeaders | flag.endStream;
const maxFrameSize = 16_384;
const streamWindow = 256 * 1024;

const block = (method: string, path: string, ...others: readonly Field[]): Buffer =>
  fieldBlock([[':method', method], [':scheme', 'https'], [':authority', 'x'], [':path', path], ...others]);

async function connectClient(...[onExchange, options]: Parameters<typeof listen>): Promise<RawHttp2Client> {
  const listener = await listen(onExchange, options);
  const settings = settingsFrame([[setting.initialWindowSize, 2 ** 31 - 1]]);
  const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
  return RawHttp2Client.handshake(socket, Buffer.concat([preface, settings, windowUpdateFrame(0, 2 ** 30)]));
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('windows', () => {
  it('may be given back for every frame', async () => {
    const events = 2_500;
    const client = await connectClient(async (exchange) => {
      const sink = exchange.respondStream(200, plain);
      for (let count = 0; count < events && !sink.closed; count++) {
        sink.write(Buffer.alloc(100, 'e'));
        await nextTurn();
      }
      sink.end();
    });
    client.send(headersFrame(1, block('GET', '/'), last));
    let seen = 0;
    let size = 0;
    while (!client.hasEnded(1) && !client.isClosed) {
      for (; seen < client.frames.length; seen++) {
        const { type, payload } = client.frames[seen]!;
        if (type !== frameTypes.data || payload.length === 0) continue;
        size += payload.length;
        client.send(windowUpdateFrame(0, payload.length), windowUpdateFrame(1, payload.length));
      }
      await client.until(() => client.frames.length > seen);
    }
    expect(client.goAwayCode).toBeUndefined();
    expect(Buffer.concat(client.dataOf(1))).toHaveLength(100 * events);
    expect(size).toBeGreaterThan(0);
  });

  /** Sends as much of a body as the initial windows permit, whatever happened to the stream. */
  async function sendBodies(client: RawHttp2Client, count: number, head: (id: number) => Buffer): Promise<void> {
    let sent = 0;
    const window = (): number =>
      client.frames
        .filter(({ type, id }) => type === frameTypes.windowUpdate && id === 0)
        .reduce((sum, { payload }) => sum + payload.readUInt32BE(), 65_535);
    for (let index = 0; index < count; index++) {
      client.send(head(2 * index + 1));
      for (let bytes = 0; bytes < streamWindow; bytes += maxFrameSize) {
        await client.until(() => window() - sent >= maxFrameSize);
        client.send(dataFrame(2 * index + 1, Buffer.alloc(maxFrameSize)));
        sent += maxFrameSize;
      }
      await client.until(() => client.hasEnded(2 * index + 1));
    }
  }

  const bodies: [string, (id: number) => Buffer][] = [
    ['nobody reads', (id) => headersFrame(id, block('POST', '/unread'))],
    ['come for streams that the server has reset', (id) => headersFrame(id, block('POST', '/', ['te', 'chunked']))],
    ['are larger than allowed', (id) => headersFrame(id, block('POST', '/small'))],
  ];
  it.each(bodies)('are given back for bodies that %s', async (_which, head) => {
    const respond = async (exchange: Exchange): Promise<void> => {
      if (exchange.path === '/unread') exchange.respond(403, plain, 'no');
      else if (exchange.path === '/small') await exchange.readBody(10).catch(() => exchange.respond(413, plain, 'no'));
      else exchange.respond(200, plain, String((await exchange.readBody(1 << 20)).length));
    };
    const client = await connectClient((exchange) => void respond(exchange), { maxConcurrentStreams: 4 });
    // Several times the window of the connection.
    await sendBodies(client, 20, head);
    client.send(headersFrame(101, block('POST', '/')));
    for (let index = 0; index < 10; index++) client.send(dataFrame(101, Buffer.alloc(maxFrameSize)));
    client.send(dataFrame(101, '', flag.endStream));
    expect(await client.response(101)).toEqual({ status: 200, body: String(10 * maxFrameSize) });
    expect(client.goAwayCode).toBeUndefined();
  });
});

describe('bodies on their way', () => {
  const count = 200;
  const ids = Array.from({ length: count }, (_, index) => 2 * index + 1);

  // All of these are legal: the client may have sent them before it received the reset.
  it.each<[string, Buffer]>([
    ['with an end', dataFrame(1, '', flag.endStream)],
    ['with trailers', headersFrame(1, fieldBlock([['x-trailer', 'yes']]), last)],
  ])('%s do not harm a connection whose requests are refused at once', async (_how, end) => {
    const client = await connectClient((exchange) => exchange.respond(403, plain, 'no'), {
      maxConcurrentStreams: count,
    });
    const frames = ids.map((id) => headersFrame(id, block('POST', '/')));
    for (let round = 0; round < 15; round++) frames.push(...ids.map((id) => dataFrame(id, Buffer.alloc(1_000))));
    for (const id of ids) {
      const frame = Buffer.from(end);
      frame.writeUInt32BE(id, 5);
      frames.push(frame);
    }
    client.send(...frames);
    for (const id of ids) expect((await client.response(id)).status).toBe(403);
    expect(await client.isAlive()).toBe(true);
    expect(client.goAwayCode).toBeUndefined();
  });
});

describe('a slow reader', () => {
  it('lets the server hold little', async () => {
    const started = deferred<{ held: number; written: number }>();
    const piece = Buffer.alloc(64 * 1024, 'p');
    const total = 400 * piece.length;
    const client = await connectClient(async (exchange) => {
      const sink = exchange.respondStream(200, plain);
      for (let written = 0; written < total && !sink.closed; written += piece.length) {
        if (sink.write(piece)) continue;
        started.resolve({ held: sink.pendingBytes, written });
        expect(sink.pendingBytes).toBeLessThan(2 << 20);
        await sink.drained();
      }
      sink.end();
    });
    client.socket.pause();
    client.send(headersFrame(1, block('GET', '/'), last));
    const { held, written } = await started.promise;
    expect(held).toBeLessThan(2 << 20);
    expect(written).toBeLessThan(total);
    client.socket.resume();
    await client.until(() => client.hasEnded(1));
    expect(client.dataOf(1).reduce((sum, { length }) => sum + length, 0)).toBe(total);
  });

  it('does not delay a small answer by reading a large one', async () => {
    const size = 8 << 20;
    const client = await connectClient((exchange) =>
      exchange.respond(200, plain, exchange.path === '/large' ? Buffer.alloc(size, 'l') : 'small'),
    );
    client.send(headersFrame(1, block('GET', '/large'), last), headersFrame(3, block('GET', '/small'), last));
    expect(await client.response(3)).toEqual({ status: 200, body: 'small' });
    await client.until(() => client.hasEnded(1));
    const endOf = (stream: number): number =>
      client.frames.findLastIndex(({ type, id }) => type === frameTypes.data && id === stream);
    expect(endOf(3)).toBeLessThan(endOf(1));
    expect(client.dataOf(1).reduce((sum, { length }) => sum + length, 0)).toBe(size);
  });
});

describe('headers', () => {
  it('beyond the limit end their stream only, and later ones may refer to them', async () => {
    const client = await connectClient((exchange) => exchange.respond(200, plain, exchange.header('x') ?? 'none'), {
      maxHeaderSize: 20_000,
    });
    const insertion = Buffer.from('4001780179', 'hex');
    client.send(
      headersFrame(1, Buffer.concat([block('GET', '/'), insertion]), flag.endStream),
      continuationFrame(1, fieldBlock([['x-1', 'y'.repeat(12_000)]]), 0),
      continuationFrame(1, fieldBlock([['x-2', 'y'.repeat(12_000)]])),
      headersFrame(3, Buffer.concat([block('GET', '/'), Buffer.from('be', 'hex')]), last),
    );
    const refused = await client.response(1);
    if (refused.reset === undefined) expect(refused.status).toBe(431);
    expect(await client.response(3)).toEqual({ status: 200, body: 'y' });
  });

  it('end their stream only, if they unpack to more than the limit', async () => {
    let requests = 0;
    const client = await connectClient((exchange) => {
      requests++;
      exchange.respond(200, plain, '');
    });
    const bomb = Buffer.concat([Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]), Buffer.alloc(4_000, 'b')]);
    for (let id = 1; id < 40; id += 2) {
      client.send(headersFrame(id, Buffer.concat([block('GET', '/'), bomb, Buffer.alloc(12_000, 0xbe)]), last));
    }
    client.send(headersFrame(41, block('GET', '/'), last));
    expect((await client.response(41)).status).toBe(200);
    expect(requests).toBe(1);
  });

  it('behind a body that are beyond the limit end their stream only', async () => {
    const body = deferred<unknown>();
    const begun = deferred<void>();
    const client = await connectClient(
      (exchange) => {
        if (exchange.path === '/') exchange.respond(200, plain, 'ok');
        else {
          void exchange
            .readBody(1_000)
            .catch(() => {})
            .then(body.resolve);
          begun.resolve();
        }
      },
      { maxHeaderSize: 8_000 },
    );
    const trailers = fieldBlock([['x-1', 'y'.repeat(12_000)]]);
    client.send(headersFrame(1, block('POST', '/trailers')), dataFrame(1, 'test'));
    await begun.promise;
    client.send(headersFrame(1, trailers, last), headersFrame(3, block('GET', '/'), last));
    expect(await client.response(3)).toEqual({ status: 200, body: 'ok' });
    await body.promise;
  });

  it('may need several frames in an answer', async () => {
    const value = 'v'.repeat(40_000);
    const listener = await listen((exchange) => exchange.respond(200, { ...plain, 'x-long': value }, 'ok'));
    const session = connectHttp2(listener);
    for (let round = 0; round < 3; round++) {
      const { headers, body } = await sendInSession(session);
      expect(headers['x-long']).toBe(value);
      expect(body.toString()).toBe('ok');
    }
  });
});

describe('streams', () => {
  it('one after the other are all answered', async () => {
    const listener = await listen((exchange) => exchange.respond(200, plain, exchange.path), {
      maxConcurrentStreams: 50,
    });
    const session = connectHttp2(listener);
    for (let round = 0; round < 45; round++) {
      const paths = Array.from({ length: 50 }, (_, index) => `/${round}/${index}`);
      const responses = await Promise.all(paths.map((path) => sendInSession(session, { path })));
      expect(responses.map(({ body }) => body.toString())).toEqual(paths);
    }
  });

  it('are not handled if the client resets them in the turn in which they arrive', async () => {
    const paths: string[] = [];
    const client = await connectClient((exchange) => {
      paths.push(exchange.path);
      exchange.respond(200, plain, 'ok');
    });
    const cancelled = [headersFrame(1, block('GET', '/cancelled'), last), resetFrame(1, errorCode.cancel)];
    client.send(...cancelled, headersFrame(3, block('GET', '/wanted'), last));
    expect(await client.response(3)).toEqual({ status: 200, body: 'ok' });
    expect(paths).toEqual(['/wanted']);
  });

  it('are known to have ended whenever the server answers, if the client resets them soon', async () => {
    const count = 90;
    const responded: boolean[] = [];
    let begun = 0;
    const client = await connectClient(async (exchange) => {
      begun += 1;
      // Code that waits for the end has requested the signal before.
      expect(exchange.signal).toBeDefined();
      // The responses come later and later: in the same turn of the event loop, and in the following ones.
      const delay = responded.length;
      for (let steps = 0; steps < delay % 30; steps++) {
        if (delay < 30) await undefined;
        else if (delay < 60) await new Promise<void>((resolve) => process.nextTick(resolve));
        else await nextTurn();
      }
      exchange.respond(200, plain, 'too late, or not');
      responded.push(exchange.responded || exchange.signal.aborted);
    });
    for (let index = 0; index < count; index++) {
      const id = 2 * index + 1;
      client.send(headersFrame(id, block('GET', '/'), last));
      await vi.waitUntil(() => begun > index, { interval: 1 });
      client.send(resetFrame(id, errorCode.cancel));
      await vi.waitUntil(() => responded.length > index, { interval: 1 });
    }
    expect(responded).toEqual(Array.from({ length: count }, () => true));
  });

  it('do not count any more when the client ends them while the server works', async () => {
    const held: Exchange[] = [];
    const client = await connectClient((exchange) => held.push(exchange), { maxConcurrentStreams: 5 });
    for (let round = 0; round < 100; round++) {
      const ids = Array.from({ length: 5 }, (_, index) => 10 * round + 2 * index + 1);
      client.send(...ids.map((id) => headersFrame(id, block('GET', '/'), last)));
      expect(await client.isAlive()).toBe(true);
      client.send(...ids.map((id) => resetFrame(id, errorCode.cancel)));
    }
    expect(await client.isAlive()).toBe(true);
    expect(held).toHaveLength(500);
    expect(held.every(({ signal }) => signal.aborted)).toBe(true);
  });
});
