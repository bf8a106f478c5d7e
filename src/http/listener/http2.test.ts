import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { frame, opening, postBlock } from './raw-frames.conformance.ts';
import { connectHttp2, connectRaw, deferred, listen, sendHttp2, sendInSession } from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };

describe('HTTP/2', () => {
  it('serves many streams of one connection at a time', async () => {
    const waiting: Exchange[] = [];
    const listener = await listen((exchange) => {
      waiting.push(exchange);
      if (waiting.length === 200) for (const one of waiting) one.respond(200, plain, one.path);
    });
    const session = connectHttp2(listener);
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, i) => sendInSession(session, { path: `/${i}` })),
    );
    expect(responses.map(({ body }) => body.toString())).toEqual(Array.from({ length: 200 }, (_, i) => `/${i}`));
  });

  it('tells clients how many streams it takes', async () => {
    const listener = await listen(() => {}, { maxConcurrentStreams: 7 });
    const session = connectHttp2(listener);
    const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve) =>
      session.once('remoteSettings', resolve),
    );
    expect(settings.maxConcurrentStreams).toBe(7);
  });

  it('has flow-control windows for the bodies of all streams', async () => {
    const listener = await listen(() => {}, { maxConcurrentStreams: 100 });
    const session = connectHttp2(listener);
    await new Promise((resolve) => session.once('connect', resolve));
    await expect.poll(() => session.state.remoteWindowSize).toBeGreaterThanOrEqual(100 * 256 * 1024);
  });

  it('does not let an unread stream block the others', async () => {
    const listener = await listen((exchange) => {
      if (exchange.path === '/slow') exchange.respond(200, plain, Buffer.alloc(4 << 20));
      else exchange.respond(200, plain, Buffer.alloc(1 << 20, 'x'));
    });
    const session = connectHttp2(listener);
    await new Promise((resolve) => session.once('connect', resolve));
    session.setLocalWindowSize(1 << 24);
    const slow = session.request({ ':path': '/slow' });
    slow.on('error', () => {});
    await new Promise((resolve) => slow.once('response', resolve));
    const { body } = await sendInSession(session, { path: '/fast' });
    expect(body).toHaveLength(1 << 20);
    expect(slow.destroyed).toBe(false);
  });

  it('does not let unread bodies block the others', async () => {
    const ignored = deferred<void>();
    const listener = await listen(async (exchange) => {
      if (exchange.path === '/ignored') ignored.resolve();
      else exchange.respond(200, plain, String((await exchange.readBody(1 << 24)).length));
    });
    const session = connectHttp2(listener);
    for (let i = 0; i < 20; i++) {
      const stream = session.request({ ':path': '/ignored', ':method': 'POST' });
      stream.on('error', () => {});
      stream.write(Buffer.alloc(1 << 20));
    }
    await ignored.promise;
    const { body } = await sendInSession(session, { method: 'POST', body: Buffer.alloc(1 << 22) });
    expect(body.toString()).toBe(String(1 << 22));
  });

  it('says of a WebSocket what its client would say over HTTP/1.1', async () => {
    const requested = deferred<Exchange>();
    const listener = await listen((exchange) => requested.resolve(exchange));
    const session = connectHttp2(listener);
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    session.request({ ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/' }).on('error', () => {});
    const exchange = await requested.promise;
    expect([exchange.method, exchange.header('upgrade'), exchange.upgrade?.needsKey]).toEqual([
      'GET',
      'websocket',
      false,
    ]);
  });

  it('drops a header that only HTTP/1.1 knows', async () => {
    const listener = await listen((exchange) => exchange.respond(429, { ...plain, connection: 'close' }, 'later'));
    expect((await sendHttp2(listener)).status).toBe(429);
  });

  it('destroys the connection of a client that is gone before it has read everything', async () => {
    const listener = await listen((exchange) => exchange.respond(200, plain, 'ok'), {
      timeouts: { idle: 200, handshake: 1_000 },
    });
    const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
    socket.write(opening);
    // Each of these needs an acknowledgement, and there are so many that the server stops reading until it has sent
    // them.
    for (let count = 0; count < 3000; count++) {
      socket.write(frame(4, Buffer.alloc(0)));
      if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroy();
    // Two other idle connections have been closed one after the other by then.
    for (let count = 0; count < 2; count++) {
      const session = connectHttp2(listener);
      await sendInSession(session);
      await new Promise((resolve) => session.once('close', resolve));
    }
    await expect(listener.drain()).resolves.toBeUndefined();
  });

  it('keeps a silent client that answers pings', async () => {
    const requested = deferred<Exchange>();
    const listener = await listen((exchange) => requested.resolve(exchange), {
      timeouts: { idle: 20, handshake: 1_000 },
    });
    const session = connectHttp2(listener);
    const idle = new Promise((resolve) => session.once('goaway', resolve));
    const response = sendInSession(session);
    const exchange = await requested.promise;
    await idle;
    // A later connection with endless headers is closed because it does not answer the ping.
    const mute = await connectRaw(listener, { ALPNProtocols: ['h2'] });
    const gone = new Promise((resolve) => mute.once('close', resolve));
    mute.on('error', () => {}).resume();
    mute.write(Buffer.concat([opening, frame(1, postBlock, { id: 1 })]));
    await gone;
    exchange.respond(200, plain, 'ok');
    expect((await response).status).toBe(200);
  });

  it('closes a connection that is idle for too long', async () => {
    const listener = await listen((exchange) => exchange.respond(200, plain, 'ok'), { timeouts: { idle: 50 } });
    const session = connectHttp2(listener);
    const closed = new Promise((resolve) => session.once('close', resolve));
    await sendInSession(session);
    await closed;
    expect(session.closed).toBe(true);
  });
});
