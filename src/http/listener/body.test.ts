import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../../meta/status-error.ts';
import type { Exchange } from '../exchange.ts';
import type { Listener } from './listener.ts';
import { dataFrame, headersFrame, opening, postBlock, resetFrame } from './raw-frames.conformance.ts';
import {
  connectHttp2,
  connectRaw,
  deferred,
  http1Agent,
  listen,
  received,
  type Send,
  sendHttp1,
  sendHttp2,
  sendInSession,
  sendThroughAgent,
} from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };
const versions: [string, Send][] = [
  ['HTTP/1.1', sendHttp1],
  ['HTTP/2', sendHttp2],
];
const limit = 1000;

/** Responds with the hash of the body, or with the rendered error. */
async function hashBody(exchange: Exchange, bound: number): Promise<void> {
  try {
    const body = await exchange.readBody(bound);
    exchange.respond(200, plain, createHash('sha256').update(body).digest('hex'));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    exchange.respond(error.status.code, plain, error.message);
  }
}

describe.each(versions)('a body over %s', (_version, send) => {
  it.each([0, 1, 70_000, 5_000_000])('arrives complete if it has %i bytes', async (size) => {
    const listener = await listen((exchange) => void hashBody(exchange, 1 << 25));
    const body = randomBytes(size);
    const response = await send(listener, { method: 'POST', body });
    expect(response.body.toString()).toBe(createHash('sha256').update(body).digest('hex'));
  });

  it('is empty when absent', async () => {
    const listener = await listen(async (exchange) => {
      exchange.respond(200, plain, `${(await exchange.readBody(limit)).length}`);
    });
    expect((await send(listener)).body.toString()).toBe('0');
    expect((await send(listener, { method: 'DELETE' })).body.toString()).toBe('0');
  });

  it('may be as long as the limit and no longer', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    expect((await send(listener, { method: 'PUT', body: Buffer.alloc(limit) })).status).toBe(200);
    expect((await send(listener, { method: 'PUT', body: Buffer.alloc(limit + 1) })).status).toBe(413);
  });

  it('is rejected by its declared length before a byte arrives', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const headers = { 'content-length': String(1 << 20) };
    const response = await send(listener, { method: 'POST', headers, body: Buffer.alloc(1 << 20) });
    expect(response).toMatchObject({ status: 413 });
    expect(response.body.toString()).toBe('Request entity too large: limit is 1000');
  });

  it('is refused as soon as it crosses the limit, and the answer still arrives', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const response = await send(listener, { method: 'POST', body: Buffer.alloc(8 << 20) });
    expect(response).toMatchObject({ status: 413 });
    expect(response.body.toString()).toBe('Request entity too large: limit is 1000');
  });

  it('need not be read for an answer to be given', async () => {
    const listener = await listen((exchange) => exchange.respond(401, plain, 'who are you?'));
    const response = await send(listener, { method: 'POST', body: Buffer.alloc(8 << 20) });
    expect(response).toMatchObject({ status: 401 });
    expect(response.body.toString()).toBe('who are you?');
  });
});

describe('a body that the client does not finish', () => {
  async function outcome(begin: (listener: Awaited<ReturnType<typeof listen>>) => Promise<() => void>) {
    const started = deferred<{ body: Promise<Buffer> }>();
    const listener = await listen((exchange) => {
      const body = exchange.readBody(limit);
      body.catch(() => {});
      started.resolve({ body });
    });
    const leave = await begin(listener);
    const { body } = await started.promise;
    leave();
    return body;
  }
  const tooShort = { status: { code: 400, message: 'the request body ended before it was complete' } };

  it('is a bad request over HTTP/1.1', async () => {
    const body = outcome(async (listener) => {
      const socket = await connectRaw(listener);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
      return () => socket.destroy();
    });
    await expect(body).rejects.toMatchObject(tooShort);
  });

  it('is a bad request over HTTP/1.1 in chunks', async () => {
    const body = outcome(async (listener) => {
      const socket = await connectRaw(listener);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n');
      return () => socket.end();
    });
    await expect(body).rejects.toMatchObject(tooShort);
  });

  it.each([0, 8])('is a bad request over HTTP/2 when the stream is reset with code %i', async (code) => {
    const body = outcome(async (listener) => {
      const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
      socket.write(Buffer.concat([opening, headersFrame(1, postBlock), dataFrame(1, Buffer.from('half'))]));
      return () => socket.write(resetFrame(1, code));
    });
    await expect(body).rejects.toMatchObject(tooShort);
  });

  it('is a bad request over HTTP/2 when the connection breaks', async () => {
    const body = outcome(async (listener) => {
      const session = connectHttp2(listener);
      const stream = session.request({ ':method': 'POST', ':path': '/' });
      stream.on('error', () => {});
      stream.write('half');
      return () => session.destroy();
    });
    await expect(body).rejects.toMatchObject(tooShort);
  });

  it('is a bad request when the client disconnected before the body was read', async () => {
    const waiting = deferred<Exchange>();
    const listener = await listen((exchange) => waiting.resolve(exchange));
    const socket = await connectRaw(listener);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    const exchange = await waiting.promise;
    const gone = new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
    socket.destroy();
    await gone;
    await expect(exchange.readBody(limit)).rejects.toMatchObject(tooShort);
  });

  it.each<[string, (listener: Listener) => Promise<unknown>]>([
    [
      'HTTP/1.1',
      async (listener) => {
        const socket = await connectRaw(listener);
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
      },
    ],
    [
      'HTTP/2',
      async (listener) => {
        const stream = connectHttp2(listener).request({ ':method': 'POST', ':path': '/' });
        stream.on('error', () => {});
        stream.write('half');
      },
    ],
  ])('is not awaited any longer than the response (%s)', async (_version, sendHalf) => {
    const waiting = deferred<Exchange>();
    const listener = await listen((exchange) => waiting.resolve(exchange), { timeouts: { request: 600_000 } });
    await sendHalf(listener);
    const exchange = await waiting.promise;
    const body = exchange.readBody(limit);
    exchange.respond(504, plain, 'too late');
    await expect(body).rejects.toMatchObject(tooShort);
    await expect(exchange.readBody(limit)).rejects.toMatchObject(tooShort);
  });

  it.each(versions)('times out (%s)', async (version) => {
    const listener = await listen((exchange) => void hashBody(exchange, limit), { timeouts: { request: 60 } });
    if (version === 'HTTP/2') {
      const stream = connectHttp2(listener).request({ ':method': 'POST', ':path': '/' });
      stream.on('error', () => {});
      stream.write('half');
      const headers = await new Promise<{ ':status'?: number }>((resolve) => stream.once('response', resolve));
      expect(headers[':status']).toBe(504);
    } else {
      const socket = await connectRaw(listener);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
      expect(await received(socket)).toMatch(/^HTTP\/1.1 (408|504) /);
    }
  });
});

describe('after a refused body', () => {
  it('an HTTP/1.1 connection serves the next request', async () => {
    const connections = new Set<unknown>();
    const listener = await listen((exchange) => {
      connections.add(exchange.connection);
      void hashBody(exchange, limit);
    });
    const agent = http1Agent({ maxSockets: 1 });
    for (const size of [5000, 100_000, 10, 2_000_000, 10]) {
      const response = await sendThroughAgent(listener, agent, { method: 'POST', body: Buffer.alloc(size) });
      expect(response.status).toBe(size > limit ? 413 : 200);
    }
    expect(connections.size).toBe(1);
  });

  const next = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n';
  const respond = (exchange: Exchange): void => exchange.respond(504, plain, 'too late');
  const stopReading = (exchange: Exchange): void => {
    exchange.readBody(limit).catch(() => {});
    respond(exchange);
  };
  const respondToLastByte = (exchange: Exchange): void =>
    void exchange.bodyStream()!.once('data', () => respond(exchange));
  it.each<[string, { early: string; late: string; handle: (exchange: Exchange) => void }]>([
    ['before the response', { early: `${head}one half`, late: next, handle: respond }],
    ['together with the response', { early: `${head}one half`, late: next, handle: respondToLastByte }],
    ['after the response', { early: `${head}one `, late: `half${next}`, handle: stopReading }],
    ['together with the next request', { early: `${head}one half${next}`, late: '', handle: stopReading }],
  ])('an HTTP/1.1 connection whose body ends %s serves the next request', async (_when, { early, late, handle }) => {
    const listener = await listen((exchange) => {
      if (exchange.method === 'POST') handle(exchange);
      else exchange.respond(200, plain, 'next');
    });
    const socket = await connectRaw(listener);
    const text = received(socket);
    const response = new Promise((resolve) => socket.once('data', resolve));
    socket.write(early);
    await response;
    socket.write(late);
    expect((await text).match(/HTTP\/1.1 \d+|too late|next$/g)).toEqual([
      'HTTP/1.1 504',
      'too late',
      'HTTP/1.1 200',
      'next',
    ]);
  });

  it('an HTTP/1.1 client that closes afterwards can send the rest', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const socket = await connectRaw(listener);
    const text = received(socket);
    let hasEnded = false;
    socket.once('end', () => {
      hasEnded = true;
    });
    const response = new Promise((resolve) => socket.once('data', resolve));
    const size = 4_000_000;
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
    await response;
    // The server is not waiting for anything else.
    expect((await sendHttp1(listener, { method: 'POST', body: Buffer.alloc(10) })).status).toBe(200);
    expect(hasEnded).toBe(false);
    socket.write(Buffer.alloc(size));
    expect(await text).toMatch(/^HTTP\/1.1 413 /);
    expect(socket.bytesWritten).toBeGreaterThan(size);
  });

  it('an HTTP/1.1 client that never stops sending is disconnected', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const socket = await connectRaw(listener);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const response = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(String(chunk))));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pour);
    pour();
    expect(await response).toContain('413 ');
    await closed;
  });

  it('an HTTP/2 connection serves the next request', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const session = connectHttp2(listener);
    for (const size of [5000, 5_000_000, 10, 5_000_000, 10]) {
      const response = await sendInSession(session, { method: 'POST', body: Buffer.alloc(size) });
      expect(response.status).toBe(size > limit ? 413 : 200);
    }
  });
});

describe('Expect: 100-continue', () => {
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n';

  it('is answered when the handler reads the body', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const socket = await connectRaw(listener);
    socket.write(`${head}Content-Length: 4\r\n\r\n`);
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('body');
    expect(await received(socket)).toContain('200 OK');
  });

  it('is not answered when the handler does not', async () => {
    const listener = await listen((exchange) => void hashBody(exchange, limit));
    const socket = await connectRaw(listener);
    socket.write(`${head}Content-Length: 4000\r\n\r\n`);
    expect(await received(socket)).toMatch(/^HTTP\/1.1 413 /);
  });
});
