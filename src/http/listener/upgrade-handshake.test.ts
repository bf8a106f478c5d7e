import type tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { webSocketStream } from '../web-socket.ts';
import { connectRaw, deferred, listen, received, sendHttp1, sendHttp2 } from './test-listener.conformance.ts';
import { aborted, clientFrame, handshake, listenAndAccept, ping, until } from './test-web-socket.conformance.ts';

const plain = { 'content-type': 'text/plain' };

describe('a request for a WebSocket', () => {
  it.each<[string, Record<string, string | undefined>, RegExp]>([
    ['without an origin', { Origin: undefined }, /^HTTP\/1.1 403 Forbidden\r\n(?!.*Content-Type).*\r\n\r\n$/is],
    ['without a key', { 'Sec-WebSocket-Key': undefined }, /^HTTP\/1.1 400 .*Sec-WebSocket-Key header$/s],
    ['with a bad key', { 'Sec-WebSocket-Key': 'short' }, /^HTTP\/1.1 400 .*Sec-WebSocket-Key header$/s],
    ['without a version', { 'Sec-WebSocket-Version': undefined }, /^HTTP\/1.1 400 .*sec-websocket-version: 13\r\n/s],
    ['of another version', { 'Sec-WebSocket-Version': '12' }, /^HTTP\/1.1 400 .*sec-websocket-version: 13\r\n/s],
    ['with nonsense as sub-protocols', { 'Sec-WebSocket-Protocol': 'a,,b' }, /^HTTP\/1.1 400 .*Protocol header$/s],
  ])('is refused %s', async (_name, changes, expected) => {
    const { listener, accepted } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write(handshake(changes));
    const response = await received(socket);
    expect(response).toMatch(expected);
    expect(response).toMatch(/\r\nConnection: close\r\n/i);
    const { exchange, stream } = await accepted;
    expect(stream.closed).toBe(true);
    expect(exchange.responded).toBe(true);
    await aborted(exchange);
  });

  it('can be answered like any other, which ends the connection', async () => {
    const listener = await listen(async (exchange) => {
      expect(exchange.upgrade?.protocol).toBe('websocket');
      expect(await exchange.readBody(10)).toHaveLength(0);
      exchange.setHeader('audit-id', 'a1');
      exchange.respond(200, plain, 'a list');
      expect(exchange.responded).toBe(true);
    });
    const socket = await connectRaw(listener);
    socket.write(Buffer.concat([Buffer.from(handshake()), clientFrame(ping)]));
    const response = await received(socket);
    expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\na list$/s);
    expect(response).toMatch(/audit-id: a1\r\n/);
    expect(response).toMatch(/Connection: close\r\n/);
  });

  it('can be answered with a stream, with backpressure', async () => {
    const chunk = Buffer.alloc(256 * 1024, 'x');
    const over = deferred();
    let maxPending = 0;
    const listener = await listen(async (exchange) => {
      const stream = exchange.respondStream(200, plain);
      for (let i = 0; i < 100; i++) {
        if (!stream.write(chunk)) await stream.drained();
        maxPending = Math.max(maxPending, stream.pendingBytes);
      }
      stream.end();
      exchange.signal.addEventListener('abort', () => over.resolve());
    });
    const socket = await connectRaw(listener);
    socket.write(handshake());
    const response = await received(socket);
    expect(response.match(/x{4096}/g)).toHaveLength((100 * chunk.length) / 4096);
    expect(response.endsWith('\r\n0\r\n\r\n')).toBe(true);
    expect(maxPending).toBeLessThan(8 * chunk.length);
    await over.promise;
  });

  it.each<[string, (socket: tls.TLSSocket) => void]>([
    ['ends the connection', (socket) => socket.end()],
    ['disappears', (socket) => socket.destroy()],
  ])('ends when the client %s', async (_name, leave) => {
    const held = deferred<Exchange>();
    const listener = await listen((exchange) => held.resolve(exchange));
    const socket = await connectRaw(listener);
    socket.write(handshake());
    const exchange = await held.promise;
    leave(socket);
    await aborted(exchange);
    const stream = webSocketStream(exchange, { binary: false });
    expect(stream.closed).toBe(true);
    stream.write(Buffer.from('late'));
    await stream.drained();
  });

  it('ends when the client disconnects with unread data', async () => {
    const held = deferred<Exchange>();
    const listener = await listen((exchange) => held.resolve(exchange));
    const socket = await connectRaw(listener);
    socket.write(handshake());
    const exchange = await held.promise;
    socket.end(clientFrame(ping, 'are you there?'));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    webSocketStream(exchange, { binary: false }).write(Buffer.from('late'));
    socket.resume();
    await closed;
    await aborted(exchange);
    expect(exchange.signal.aborted).toBe(true);
  });

  it('is not accepted while another response is in progress', async () => {
    const waiting: Exchange[] = [];
    const listener = await listen((exchange) => {
      waiting.push(exchange);
      if (waiting.length === 2) for (const one of waiting) one.respond(200, plain, 'ok');
    });
    const socket = await connectRaw(listener);
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${handshake({ Connection: 'Upgrade, close' })}`);
    // Older versions of Node.js have to close the connection.
    expect(await received(socket)).toMatch(/^$|^HTTP\/1.1 200 .*\r\n\r\nokHTTP\/1.1 200 .*\r\n\r\nok$/s);
    for (const { upgrade } of waiting) expect(upgrade).toBeUndefined();
  });
});

describe('a request for something else', () => {
  it.each<[string, Record<string, string | undefined>, string]>([
    ['another protocol', { Upgrade: 'foo' }, 'GET / HTTP/1.1'],
    ['HTTP/2', { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': '' }, 'GET / HTTP/1.1'],
    ['no upgrade of the connection', { Connection: 'keep-alive' }, 'GET / HTTP/1.1'],
    ['a WebSocket by POST', {}, 'POST / HTTP/1.1'],
    ['a WebSocket over HTTP/1.0', { Connection: 'Upgrade, keep-alive' }, 'GET / HTTP/1.0'],
  ])('is served as if nothing had been asked for: %s', async (_name, changes, line) => {
    const { listener } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write(handshake(changes, line));
    expect(await until(socket, 'no WebSocket')).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await received(socket)).toMatch(/no WebSocket$/);
  });

  it.each([
    ['with a length', { 'Content-Length': '4' }, 'body'],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, '4\r\nbody\r\n0\r\n\r\n'],
  ])('is a request with a body %s, which can be read', async (_name, changes, bytes) => {
    const listener = await listen(async (exchange) => {
      const body = await exchange.readBody(10);
      exchange.respond(200, plain, `${exchange.upgrade} ${body}`);
    });
    const socket = await connectRaw(listener);
    socket.write(handshake(changes) + bytes);
    expect(await until(socket, 'undefined body')).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  it('is malformed without a host', async () => {
    const { listener } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write(handshake({ Host: undefined }));
    expect(await received(socket)).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each([
    ['HTTP/1.1', sendHttp1],
    ['HTTP/2', sendHttp2],
  ])('offers no WebSocket over %s', async (_version, send) => {
    const { listener } = await listenAndAccept();
    expect(String((await send(listener)).body)).toBe('no WebSocket');
  });
});
