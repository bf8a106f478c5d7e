import http2 from 'node:http2';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Exchange, ResponseStream } from '../exchange.ts';
import {
  connectHttp2,
  connectRaw,
  deferred,
  http1Agent,
  listen,
  received,
  sendInSession,
  sendThroughAgent,
} from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };

async function refuses(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}

/** A listener whose exchanges wait for the test, which gets them one by one. */
async function listenAndHold() {
  let next = deferred<Exchange>();
  const listener = await listen((exchange) => {
    if (exchange.path === '/quick') {
      exchange.respond(200, plain, 'ok');
      return;
    }
    next.resolve(exchange);
    next = deferred<Exchange>();
  });
  return { listener, nextExchange: () => next.promise };
}

describe('stopAccepting', () => {
  it('refuses new connections and lets the old ones make requests', async () => {
    const { listener } = await listenAndHold();
    const session = connectHttp2(listener);
    await sendInSession(session, { path: '/quick' });
    listener.stopAccepting();
    listener.stopAccepting();
    expect(await refuses(listener.port)).toBe(true);
    expect((await sendInSession(session, { path: '/quick' })).status).toBe(200);
  });
});

describe('drain', () => {
  it('closes idle connections of every kind at once', async () => {
    const { listener } = await listenAndHold();
    const session = connectHttp2(listener);
    const agent = http1Agent();
    await sendInSession(session, { path: '/quick' });
    await sendThroughAgent(listener, agent, { path: '/quick' });
    const fresh = await connectRaw(listener);
    const halfway = await connectRaw(listener);
    halfway.write('GET / HT');
    const shakingHands = net.connect(listener.port, '127.0.0.1');
    shakingHands.on('error', () => {});
    await new Promise((resolve) => shakingHands.once('connect', resolve));
    const goaway = new Promise<number>((resolve) => session.once('goaway', resolve));
    const ends = [session, fresh, halfway, shakingHands].map(
      (end) => new Promise((resolve) => (end as net.Socket).once('close', resolve)),
    );
    fresh.resume();
    halfway.resume();
    await listener.drain();
    expect(await goaway).toBe(http2.constants.NGHTTP2_NO_ERROR);
    await Promise.all(ends);
  });

  it('lets an HTTP/2 exchange finish and refuses new streams', async () => {
    const { listener, nextExchange } = await listenAndHold();
    const session = connectHttp2(listener);
    const held = nextExchange();
    const answer = sendInSession(session, { path: '/held' });
    const exchange = await held;
    const goaway = new Promise((resolve) => session.once('goaway', resolve));
    let isDrained = false;
    const drained = listener.drain().then(() => {
      isDrained = true;
    });
    await goaway;
    expect(await refuses(listener.port)).toBe(true);
    expect(isDrained).toBe(false);
    exchange.respond(200, plain, 'at last');
    expect((await answer).body.toString()).toBe('at last');
    await drained;
  });

  it('lets an HTTP/1.1 exchange finish and says that the connection ends', async () => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const answer = sendThroughAgent(listener, http1Agent(), { path: '/held' });
    const exchange = await held;
    const drained = listener.drain();
    exchange.respond(200, plain, 'at last');
    expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await drained;
  });

  it('closes an HTTP/1.1 connection after an answer that had begun before', async () => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const socket = await connectRaw(listener);
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    const stream: ResponseStream = (await held).respondStream(200, plain);
    const text = received(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    const drained = listener.drain();
    stream.write(Buffer.from('the rest'));
    stream.end();
    expect(await text).toMatch(/the rest\r\n0\r\n\r\n$/);
    await drained;
  });

  it('cuts what is left when its time is over', async () => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const answer = sendInSession(connectHttp2(listener), { path: '/held' });
    answer.catch(() => {});
    const exchange = await held;
    const aborted = new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
    await listener.drain({ timeout: 20 });
    await expect(answer).rejects.toThrow();
    await aborted;
  });

  it.each(['before', 'during'])('cuts what is left when its signal aborts %s it', async (when) => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const answer = sendThroughAgent(listener, http1Agent(), { path: '/held' });
    answer.catch(() => {});
    await held;
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const drained = listener.drain({ signal: controller.signal });
    controller.abort();
    await drained;
    await expect(answer).rejects.toThrow();
  });
});

describe('close', () => {
  it('cuts everything and leaves nothing behind', async () => {
    const handles = (): string[] => process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
    const before = handles().length;
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const session = connectHttp2(listener);
    const answer = sendInSession(session, { path: '/held' });
    answer.catch(() => {});
    await held;
    const raw = await connectRaw(listener);
    raw.resume();
    const rawClosed = new Promise((resolve) => raw.once('close', resolve));
    await listener.close();
    await listener.close();
    await expect(answer).rejects.toThrow();
    await rawClosed;
    expect(await refuses(listener.port)).toBe(true);
    await expect.poll(() => handles().length).toBeLessThanOrEqual(before);
  });

  it('may come after a drain, and a drain after it', async () => {
    const { listener } = await listenAndHold();
    await listener.drain();
    await listener.close();
    await listener.drain();
  });
});

describe('startListener', () => {
  it('says when the port is taken', async () => {
    const { listener } = await listenAndHold();
    await expect(listen(() => {}, { port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
