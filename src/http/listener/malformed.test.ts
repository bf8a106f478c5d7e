import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { dataFrame, frame, headersFrame, opening, postBlock } from './raw-frames.conformance.ts';
import {
  connectHttp2,
  connectRaw,
  listen,
  received,
  sendHttp1,
  sendHttp2,
  sendInSession,
} from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };

async function listenAndCount(options: Parameters<typeof listen>[1] = {}) {
  const seen: string[] = [];
  const listener = await listen((exchange) => {
    seen.push(exchange.path);
    exchange.respond(200, plain, 'ok');
  }, options);
  const isAlive = async (): Promise<boolean> =>
    (await sendHttp1(listener)).status === 200 && (await sendHttp2(listener)).status === 200;
  return { listener, seen, isAlive };
}

describe('malformed HTTP/1.1', () => {
  const cases: [string, string, RegExp][] = [
    ['a request line of garbage', 'what is this\r\n\r\n', /^HTTP\/1.1 400 /],
    ['binary garbage', '\x00\x01\x02\xff\xfe\r\n\r\n', /^HTTP\/1.1 400 /],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', /^HTTP\/1.1 400 /],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1.1 400 /],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', /^HTTP\/1.1 400 /],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', /^HTTP\/1.1 400 /],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', /^HTTP\/1.1 400 /],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1.1 431 /],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1.1 400 |^$/],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n', /^$/],
  ];

  it.each(cases)('is answered and closed: %s', async (_name, bytes, expected) => {
    const { listener, seen, isAlive } = await listenAndCount();
    const socket = await connectRaw(listener);
    socket.write(Buffer.from(bytes, 'latin1'));
    expect(await received(socket)).toMatch(expected);
    expect(seen).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  it('in the middle of a body ends the exchange', async () => {
    const bodies: Promise<unknown>[] = [];
    const listener = await listen((exchange) => {
      bodies.push(exchange.readBody(100).catch((error: unknown) => error));
    });
    const socket = await connectRaw(listener);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n');
    expect(await received(socket)).toMatch(/^HTTP\/1.1 400 |^$/);
    expect(await bodies[0]).toMatchObject({ status: { code: 400 } });
  });

  it('times out when headers arrive too slowly', async () => {
    const { listener, seen, isAlive } = await listenAndCount({ timeouts: { headers: 1_000, request: 1_000 } });
    const silent = await connectRaw(listener);
    const slow = await connectRaw(listener);
    slow.write('GET / HTTP/1.1\r\nHost: x\r\nx-');
    const [first, second] = await Promise.all([received(silent), received(slow)]);
    expect(first).toMatch(/^HTTP\/1.1 408 /);
    expect(second).toMatch(/^HTTP\/1.1 408 /);
    expect(seen).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  it('is closed when it is idle after a request for too long', async () => {
    const { listener } = await listenAndCount({ timeouts: { idle: 20 } });
    const socket = await connectRaw(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await received(socket)).toContain('200 OK');
  });
});

describe('malformed HTTP/2', () => {
  const cases: [string, Buffer][] = [
    ['a request of HTTP/1.1', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['garbage', Buffer.from('\x00\xff\x13\x37'.repeat(40), 'latin1')],
    ['silence', Buffer.alloc(0)],
    ['half of the preface', opening.subarray(0, 10)],
    ['headers that do not end', Buffer.concat([opening, frame(1, postBlock, { id: 1 })])],
    ['garbage after the preface', Buffer.concat([opening, Buffer.alloc(64, 0xff)])],
    ['headers that cannot be unpacked', Buffer.concat([opening, headersFrame(1, Buffer.alloc(20, 0xff))])],
    ['data on a stream that does not exist', Buffer.concat([opening, dataFrame(7, Buffer.alloc(5))])],
    ['a frame beyond all limits', Buffer.concat([opening, dataFrame(1, Buffer.alloc(1 << 20))])],
  ];

  it.each(cases)('is closed: %s', async (_name, bytes) => {
    // A client that stays after a GOAWAY is disconnected when it is idle.
    const { listener, seen, isAlive } = await listenAndCount({ timeouts: { idle: 300, handshake: 1_000 } });
    const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
    socket.write(bytes);
    await received(socket);
    expect(seen).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  it.each([
    ['of an introduction', opening.subarray(0, 10)],
    ['of settings', opening.subarray(0, 24)],
    ['of headers', Buffer.concat([opening, frame(1, postBlock, { id: 1 })])],
  ])('times out in the middle %s', async (_what, bytes) => {
    const { listener, seen } = await listenAndCount({ timeouts: { headers: 100 } });
    const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
    socket.write(bytes);
    await received(socket);
    expect(seen).toEqual([]);
  });

  it('does not end the other streams when one has too many headers', async () => {
    const { listener, isAlive } = await listenAndCount();
    const session = connectHttp2(listener);
    const headers = { 'x-large': 'y'.repeat(60_000), 'x-larger': 'y'.repeat(60_000) };
    await expect(sendInSession(session, { headers })).rejects.toThrow();
    expect(await isAlive()).toBe(true);
  });
});

describe('what is not TLS', () => {
  it.each([
    ['plain HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['garbage', '\x16\x03\x01\xff\xff\xff\xff'],
    ['silence', ''],
  ])('is closed: %s', async (_name, bytes) => {
    const { listener, isAlive } = await listenAndCount({ timeouts: { handshake: 1_000 } });
    const socket = net.connect(listener.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(bytes);
    await closed;
    expect(await isAlive()).toBe(true);
  });
});
