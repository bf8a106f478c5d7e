import http2 from 'node:http2';
import net from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Exchange, ResponseStream } from '../exchange.ts';
import type { ListenerOptions } from './listener.ts';
import { SilentProxy } from './silent-proxy.conformance.ts';
import {
  caCert,
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

/** Returns a function that counts the timers with this delay that have been started since and not stopped. */
function countTimers(delay: number): () => number {
  const started = vi.spyOn(globalThis, 'setTimeout');
  const stopped = vi.spyOn(globalThis, 'clearTimeout');
  onTestFinished(() => {
    started.mockRestore();
    stopped.mockRestore();
  });
  return () => {
    const timers = started.mock.results.filter((_result, index) => started.mock.calls[index]![1] === delay);
    const ended = new Set<unknown>(stopped.mock.calls.map(([timer]) => timer));
    return timers.filter(({ value }) => !ended.has(value)).length;
  };
}

/** A listener whose exchanges are passed to the test one by one. */
async function listenAndHold(options: Partial<ListenerOptions> = {}) {
  let next = deferred<Exchange>();
  const listener = await listen((exchange) => {
    if (exchange.path === '/quick') {
      exchange.respond(200, plain, 'ok');
      return;
    }
    next.resolve(exchange);
    next = deferred<Exchange>();
  }, options);
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
    const response = sendInSession(session, { path: '/held' });
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
    expect((await response).body.toString()).toBe('at last');
    await drained;
  });

  it('lets an HTTP/1.1 exchange finish and says that the connection ends', async () => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const response = sendThroughAgent(listener, http1Agent(), { path: '/held' });
    const exchange = await held;
    const drained = listener.drain();
    exchange.respond(200, plain, 'at last');
    expect(await response).toMatchObject({ status: 200, headers: { connection: 'close' } });
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

  it('destroys remaining connections after the timeout', async () => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const response = sendInSession(connectHttp2(listener), { path: '/held' });
    response.catch(() => {});
    const exchange = await held;
    const aborted = new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
    await listener.drain({ timeout: 20 });
    await expect(response).rejects.toThrow();
    await aborted;
  });

  it.each(['before', 'during'])('destroys remaining connections when its signal aborts %s it', async (when) => {
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const response = sendThroughAgent(listener, http1Agent(), { path: '/held' });
    response.catch(() => {});
    await held;
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const drained = listener.drain({ signal: controller.signal });
    controller.abort();
    await drained;
    await expect(response).rejects.toThrow();
  });
});

describe('drain with clients that do nothing', () => {
  const large = Buffer.alloc(32 * 1024 * 1024);
  /** Reads bodies, responds to `/small`, and to `/large` with more than any buffer holds, and passes on everything else. */
  async function listenToAll({ stall = 400 } = {}) {
    const held: Exchange[] = [];
    const began: string[] = [];
    const listener = await listen(
      async (exchange) => {
        began.push(exchange.path);
        if (exchange.path === '/large') {
          exchange.respond(200, plain, large);
        } else if (exchange.path === '/small') {
          exchange.respond(200, plain, 'small');
        } else if (exchange.path === '/body') {
          await exchange.readBody(1e9).then(
            () => exchange.respond(200, plain, 'all of it'),
            () => {},
          );
        } else {
          held.push(exchange);
        }
      },
      { timeouts: { stall } },
    );
    return { listener, held, began: (path: string) => vi.waitUntil(() => began.includes(path), { interval: 5 }) };
  }
  type Listening = Awaited<ReturnType<typeof listenToAll>>;
  const raw = async ({ listener }: Listening, bytes: string) => {
    const socket = await connectRaw(listener);
    socket.pause();
    socket.write(bytes);
    return socket;
  };

  it.each<[string, (listening: Listening) => Promise<unknown>]>([
    [
      'HTTP/1.1, an answer that is not read',
      async (listening) => {
        await raw(listening, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
        await listening.began('/large');
      },
    ],
    [
      'HTTP/1.1, half of a body',
      async (listening) => {
        await raw(listening, 'PUT /body HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
        await listening.began('/body');
      },
    ],
    [
      'HTTP/1.1, an answer that is not read, with half of a body that nobody reads',
      async (listening) => {
        await raw(listening, 'PUT /large HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
        await listening.began('/large');
      },
    ],
    [
      'HTTP/2, an answer that is not read',
      async (listening) => {
        connectHttp2(listening.listener).request({ ':path': '/large' });
        await listening.began('/large');
      },
    ],
    [
      'HTTP/2, half of a body',
      async (listening) => {
        const stream = connectHttp2(listening.listener).request({ ':path': '/body', ':method': 'PUT' });
        stream.on('error', () => {});
        stream.write('half');
        await listening.began('/body');
      },
    ],
    [
      'HTTP/2, a client that has died',
      async (listening) => {
        const proxy = await SilentProxy.start(listening.listener.port);
        const session = http2.connect(`https://127.0.0.1:${proxy.port}`, { ca: caCert });
        session.on('error', () => {});
        onTestFinished(() => session.destroy());
        await sendInSession(session, { path: '/small' });
        proxy.fallSilent();
      },
    ],
  ])('closes %s', async (_kind, stall) => {
    const listening = await listenToAll();
    await stall(listening);
    await expect(listening.listener.drain()).resolves.toBeUndefined();
    expect(await refuses(listening.listener.port)).toBe(true);
  });

  it('waits for the server without limit, and for a client that makes progress', async () => {
    // On a busy machine, progress may take longer than a stall in the other tests.
    const listening = await listenToAll({ stall: 2_000 });
    const { listener, held } = listening;
    const responses = [
      sendInSession(connectHttp2(listener), { path: '/held2' }),
      sendThroughAgent(listener, http1Agent(), { path: '/held1' }),
    ];
    await vi.waitUntil(() => held.length === 2, { interval: 5 });
    const slow = await raw(listening, 'PUT /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const slowResponse = received(slow);
    slow.resume();
    await listening.began('/body');
    const pieces = setInterval(() => slow.write('1\r\nx\r\n'), 10);
    onTestFinished(() => clearInterval(pieces));
    const stalled = await raw(listening, 'PUT /half HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    await vi.waitUntil(() => held.length === 3, { interval: 5 });
    void held[2]!.readBody(10).catch(() => {});
    const stalledClosed = new Promise((resolve) => stalled.once('close', resolve));
    stalled.resume();
    const drained = listener.drain();
    // This much time has passed then.
    await stalledClosed;
    for (const exchange of held.slice(0, 2)) exchange.respond(200, plain, 'at last');
    for (const { body } of await Promise.all(responses)) expect(body.toString()).toBe('at last');
    clearInterval(pieces);
    slow.write('0\r\n\r\n');
    expect(await slowResponse).toContain('all of it');
    await drained;
  });
});

describe('an HTTP/1.1 body that is incomplete after its response', () => {
  const requests = {
    'half of it': 'Content-Length: 10\r\n\r\nhalf',
    'half of it in chunks': 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'nothing of it after 100 Continue': 'Content-Length: 10\r\nExpect: 100-continue\r\n\r\n',
  };
  const handlers: Record<string, (exchange: Exchange) => unknown> = {
    'read it': (exchange) => exchange.readBody(1e9).catch(() => {}),
    'refused it': (exchange) => exchange.readBody(1).catch(() => {}),
    'passed it on': (exchange) => void exchange.bodyStream()!.resume(),
    'ignored it': () => {},
  };
  const rows = Object.keys(requests).flatMap((sent) =>
    Object.keys(handlers).flatMap((did) => ['stays', 'leaves'].map((client) => ({ sent, did, client }))),
  );

  it.each(rows)('keeps nothing running: $sent, the handler has $did, the client $client', async (row) => {
    const request = 600_000;
    const runningTimers = countTimers(request);
    const { listener, nextExchange } = await listenAndHold({ timeouts: { request } });
    const held = nextExchange();
    const socket = await connectRaw(listener);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    socket.write(`PUT /held HTTP/1.1\r\nHost: x\r\n${requests[row.sent as keyof typeof requests]}`);
    const exchange = await held;
    const handled = handlers[row.did]!(exchange);
    exchange.respond(504, plain, 'too late');
    await vi.waitUntil(() => text.endsWith('too late'), { interval: 5 });
    await handled;
    if (row.client === 'leaves') {
      socket.destroy();
      await vi.waitUntil(() => listener.connections === 0, { interval: 5 });
    }
    await listener.drain();
    await expect.poll(runningTimers).toBe(0);
  });
});

describe('close', () => {
  it('destroys all connections and leaves nothing behind', async () => {
    const handles = (): string[] => process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
    const before = handles().length;
    const { listener, nextExchange } = await listenAndHold();
    const held = nextExchange();
    const session = connectHttp2(listener);
    const response = sendInSession(session, { path: '/held' });
    response.catch(() => {});
    await held;
    const raw = await connectRaw(listener);
    raw.resume();
    const rawClosed = new Promise((resolve) => raw.once('close', resolve));
    await listener.close();
    await listener.close();
    await expect(response).rejects.toThrow();
    await rawClosed;
    expect(await refuses(listener.port)).toBe(true);
    await expect.poll(() => handles().length).toBeLessThanOrEqual(before);
  });

  it('may follow a drain, and precede one', async () => {
    const { listener } = await listenAndHold();
    await listener.drain();
    expect(await refuses(listener.port)).toBe(true);
    await listener.close();
    await expect(listener.drain()).resolves.toBeUndefined();
  });
});

describe('startListener', () => {
  it('rejects when the port is taken', async () => {
    const { listener } = await listenAndHold();
    await expect(listen(() => {}, { port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
