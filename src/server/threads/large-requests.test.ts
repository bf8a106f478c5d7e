import { createHash, randomBytes } from 'node:crypto';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ServedExchange } from '../../http/exchange.ts';
import type { Listener } from '../../http/listener/index.ts';
import {
  connectHttp2,
  connectRaw,
  deferred,
  listen,
  received,
  type Send,
  sendHttp1,
  sendHttp2,
  sendInSession,
  type TestResponse,
  trustedClient,
} from '../../http/listener/test-listener.conformance.ts';
import { StatusError } from '../../meta/status-error.ts';
import { LargeRequestListener } from './large-request-listener.ts';
import { LargeRequests } from './large-requests.ts';

const path = '/api/v1/namespaces/default/configmaps';
const plain = { 'content-type': 'text/plain' };
const large = 16 * 1024;
/** The start of a request without a length. */
const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;

interface Passing {
  /** The listener of the thread that has the connections. */
  readonly front: Listener;
  readonly other: LargeRequestListener;
  /** The number of requests that the first thread has handled itself. */
  readonly handledHere: () => number;
  /** How often the first thread has asked for the other one. */
  readonly starts: () => number;
  /** Connects the threads, as is done when the other one is ready. */
  readonly connect: () => void;
  readonly disconnect: () => void;
  readonly stop: AbortController;
}

/** Two sides of a connection between threads, here in one thread. */
async function passing(
  handleThere: (exchange: ServedExchange) => void,
  { isReady = true, mayStart = true }: { readonly isReady?: boolean; readonly mayStart?: boolean } = {},
): Promise<Passing> {
  const other = new LargeRequestListener({ port: 1, handle: handleThere });
  let handled = 0;
  let starts = 0;
  const stop = new AbortController();
  const requests = new LargeRequests({
    handle: (exchange) => {
      handled++;
      void exchange.readBody(1 << 25).then((body) => exchange.respond(200, plain, `here ${body.length}`));
    },
    start: () => {
      starts++;
      return mayStart;
    },
    largeBytes: large,
    sizeOf: ({ name }) => (name === 'large' ? large : undefined),
    isRemote: (remote) => remote.startsWith('/apis/remote.example.com/'),
    signal: stop.signal,
  });
  const front = await listen((exchange) => requests.handle(exchange as ServedExchange));
  onTestFinished(() => other.close());
  const connect = (): void => {
    const { port1, port2 } = new MessageChannel();
    disconnect = () => port1.close();
    other.accept(port2);
    requests.connect(port1);
  };
  let disconnect = (): void => {};
  if (isReady) connect();
  return {
    front,
    other,
    handledHere: () => handled,
    starts: () => starts,
    connect,
    disconnect: () => disconnect(),
    stop,
  };
}

function post(body: Buffer, headers: Record<string, string> = {}) {
  return { method: 'POST', path, body, headers: { 'content-length': String(body.length), ...headers } };
}

/** Responds like a handler of writes: with the result, or with the rendered error. */
async function hashBody(exchange: ServedExchange, limit = 1 << 25): Promise<void> {
  try {
    const body = await exchange.readBody(limit);
    exchange.setHeader('warning', ['one', 'two']);
    exchange.setHeaders({ 'audit-id': 'a' });
    exchange.respond(201, plain, createHash('sha256').update(body).digest('hex'));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    exchange.respond(error.status.code, plain, error.message);
  }
}

describe.each<[string, Send]>([
  ['HTTP/1.1', sendHttp1],
  ['HTTP/2', sendHttp2],
])('a large request over %s', (_version, send) => {
  it.each([large, 3_000_000])('is handled by the other thread if it has %i bytes', async (size) => {
    const { front, handledHere } = await passing((exchange) => void hashBody(exchange));
    const body = randomBytes(size);
    const response = await send(front, post(body));
    expect(response.status).toBe(201);
    expect(response.body.toString()).toBe(createHash('sha256').update(body).digest('hex'));
    expect(response.headers).toMatchObject({ ...plain, 'audit-id': 'a', warning: expect.stringMatching(/one.*two/) });
    expect(handledHere()).toBe(0);
  });

  it('shows the other thread what the client sent', async () => {
    const { front } = await passing((exchange) => {
      const { method, query, rawHeaders, connection } = exchange;
      const seen = {
        method,
        path: exchange.path,
        query,
        accept: exchange.header('accept'),
        absent: exchange.header('x-absent') ?? 'none',
        raw: rawHeaders.filter((text) => text.toLowerCase() === 'accept').length,
        remoteAddress: connection.remoteAddress,
        secure: connection.secure,
        trusted: connection.clientCertificateTrusted,
      };
      exchange.respond(200, plain, JSON.stringify(seen));
    });
    const request = { ...post(Buffer.alloc(large), { accept: 'application/json' }), path: `${path}?dryRun=All` };
    expect(JSON.parse((await send(front, request)).body.toString())).toEqual({
      method: 'POST',
      path,
      query: 'dryRun=All',
      accept: 'application/json',
      absent: 'none',
      raw: 1,
      remoteAddress: '127.0.0.1',
      secure: true,
      trusted: false,
    });
  });

  it('is refused before its body is read when it is larger than the limit of its handler', async () => {
    const { front } = await passing((exchange) => void hashBody(exchange, large));
    expect((await send(front, post(Buffer.alloc(large + 1)))).status).toBe(413);
  });

  it('can have a streamed response', async () => {
    const { front } = await passing((exchange) => {
      const stream = exchange.respondStream(200, plain);
      stream.write(Buffer.from('one,'));
      stream.write(Buffer.from('two'));
      stream.end();
    });
    expect((await send(front, post(Buffer.alloc(large)))).body.toString()).toBe('one,two');
  });

  it('fails when its response is larger than any object', async () => {
    const { front } = await passing((exchange) => {
      const stream = exchange.respondStream(200, plain);
      for (let count = 0; count < 17; count++) stream.write(Buffer.alloc(1 << 20));
      stream.end();
    });
    await expect(send(front, post(Buffer.alloc(large)))).rejects.toThrow();
  });

  it('fails when its handler aborts it', async () => {
    const { front } = await passing((exchange) => exchange.abort());
    await expect(send(front, post(Buffer.alloc(large)))).rejects.toThrow();
  });

  it('fails when the other thread ends after it has read the body, because it may have been carried out', async () => {
    const { front, disconnect } = await passing((exchange) => void exchange.readBody(1 << 25).then(disconnected));
    const disconnected = (): void => disconnect();
    await expect(send(front, post(Buffer.alloc(large)))).rejects.toThrow();
  });

  it('waits for the other thread when that one ends before it has read the body', async () => {
    let ends = 0;
    const { front, disconnect, connect, starts, handledHere } = await passing((exchange) => {
      if (ends > 0) exchange.respond(200, plain, 'there');
      else disconnect();
      ends++;
    });
    const response = send(front, post(Buffer.alloc(large)));
    await vi.waitFor(() => expect(starts()).toBe(1));
    connect();
    expect((await response).body.toString()).toBe('there');
    expect(handledHere()).toBe(0);
  });
});

it.each<[string, { readonly method?: string; readonly path?: string; readonly size?: number }]>([
  ['with a small body', { size: large - 1 }],
  ['with a small body for a small object', { method: 'PATCH', path: `${path}/small`, size: 10 }],
  ['of another method', { method: 'GET' }],
  ['for another server', { path: '/apis/remote.example.com/v1/things' }],
  ['for a proxied service', { path: '/api/v1/namespaces/default/services/a/proxy/b' }],
  ['outside of the API', { path: '/console/session' }],
  ['with a malformed path', { path: '/api/v1/%ff' }],
])('a request %s stays on its thread', async (_what, { size = large, ...request }) => {
  const { front, handledHere } = await passing((exchange) => exchange.respond(500, plain, 'passed on'));
  const response = await sendHttp2(front, { ...post(Buffer.alloc(size)), ...request });
  expect(response.body.toString()).toBe(`here ${size}`);
  expect(handledHere()).toBe(1);
});

it('a DELETE with a large body is passed on', async () => {
  const { front } = await passing((exchange) => exchange.respond(200, plain, 'there'));
  const response = await sendHttp2(front, { ...post(Buffer.alloc(large)), method: 'DELETE', path: `${path}/small` });
  expect(response.body.toString()).toBe('there');
});

it.each(['PUT', 'PATCH'])('a small %s of a large object is passed on', async (method) => {
  const { front } = await passing((exchange) => exchange.respond(200, plain, 'there'));
  const response = await sendHttp2(front, { ...post(Buffer.alloc(10)), method, path: `${path}/large` });
  expect(response.body.toString()).toBe('there');
});

it('the certificate of the client arrives in the other thread', async () => {
  const { front } = await passing(({ connection }) => {
    names.resolve(`${connection.clientCertificate?.subject} ${connection.clientCertificateTrusted}`);
    connection.shutDown?.();
  });
  const names = deferred<string>();
  const session = connectHttp2(front, trustedClient);
  const closing = new Promise((resolve) => session.once('goaway', resolve));
  sendInSession(session, post(Buffer.alloc(large))).catch(() => {});
  expect(await names.promise).toBe('CN=jane true');
  // The handler can end the connection as well.
  await closing;
});

it('the signal of a request aborts when the client disconnects', async () => {
  const ended = deferred<boolean>();
  const begun = deferred();
  const { front } = await passing((exchange) => {
    exchange.signal.addEventListener('abort', () => ended.resolve(exchange.signal.aborted));
    begun.resolve();
  });
  const session = connectHttp2(front);
  sendInSession(session, post(Buffer.alloc(large))).catch(() => {});
  await begun.promise;
  session.destroy();
  expect(await ended.promise).toBe(true);
});

it('large requests wait until the other thread is ready', async () => {
  const { front, starts, connect, handledHere } = await passing((exchange) => void hashBody(exchange), {
    isReady: false,
  });
  const session = connectHttp2(front);
  const responses = Array.from({ length: 6 }, () => sendInSession(session, post(Buffer.alloc(large))));
  await vi.waitFor(() => expect(starts()).toBe(6));
  connect();
  for (const { status } of (await Promise.all(responses)) satisfies TestResponse[]) expect(status).toBe(201);
  expect(handledHere()).toBe(0);
});

it('large requests are handled by their own thread while the server starts', async () => {
  const { front } = await passing(() => {}, { isReady: false, mayStart: false });
  expect((await sendHttp2(front, post(Buffer.alloc(large)))).body.toString()).toBe(`here ${large}`);
});

it('large requests that wait for the other thread are handled when the server shuts down', async () => {
  const { front, starts, stop } = await passing(() => {}, { isReady: false });
  const response = sendHttp2(front, post(Buffer.alloc(large)));
  await vi.waitFor(() => expect(starts()).toBe(1));
  stop.abort();
  expect((await response).body.toString()).toBe(`here ${large}`);
});

it('a request whose length is not known in advance is passed on', async () => {
  const { front, handledHere } = await passing((exchange) => void hashBody(exchange));
  const socket = await connectRaw(front);
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`);
  expect(await received(socket)).toContain('201 Created');
  expect(handledHere()).toBe(0);
});

it('100 Continue is sent when the other thread reads the body', async () => {
  const { front } = await passing((exchange) => void hashBody(exchange));
  const socket = await connectRaw(front);
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${large}\r\n\r\n`);
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(Buffer.alloc(large));
  expect(await received(socket)).toContain('201 Created');
});

it('100 Continue is not sent when the other thread refuses the request', async () => {
  const { front } = await passing((exchange) => exchange.respond(401, plain, 'who are you?'));
  const socket = await connectRaw(front);
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${large}\r\n\r\n`);
  expect(await received(socket)).toMatch(/^HTTP\/1.1 401 /);
});

it('a thread that is stopping finishes what it has begun and refuses the rest, which is not lost', async () => {
  const waiting: ServedExchange[] = [];
  const { front, other, handledHere } = await passing((exchange) => waiting.push(exchange));
  const first = sendHttp2(front, post(Buffer.alloc(large)));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  let isDrained = false;
  const drained = other.drain().then(() => {
    isDrained = true;
  });
  expect((await sendHttp2(front, post(Buffer.alloc(large)))).body.toString()).toBe(`here ${large}`);
  expect(handledHere()).toBe(1);
  expect(isDrained).toBe(false);
  waiting[0]!.respond(200, plain, 'there');
  expect((await first).body.toString()).toBe('there');
  await drained;
});

it('a server that is shutting down passes nothing on', async () => {
  const { front, stop, handledHere } = await passing((exchange) => exchange.respond(500, plain, 'passed on'));
  stop.abort();
  expect((await sendHttp2(front, post(Buffer.alloc(large)))).status).toBe(200);
  expect(handledHere()).toBe(1);
});
