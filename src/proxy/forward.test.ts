import { createHash, randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import {
  connectHttp2,
  connectRaw,
  deferred,
  listen,
  type Send,
  sendHttp1,
  sendHttp2,
} from '../http/listener/test-listener.conformance.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { respondError } from '../http/render.ts';
import { specification } from '../meta/compatibility.ts';
import type { StatusError } from '../meta/status-error.ts';
import { forward, type Upstream } from './forward.ts';
import type { UpstreamServer } from './open-socket.ts';
import { ServerConnections } from './server-connections.ts';

const formats = new ObjectFormats(['json']);
const versions: [string, Send][] = [
  ['HTTP/1.1', sendHttp1],
  ['HTTP/2', sendHttp2],
];

async function upstreamOf(onRequest: RequestListener, onUpgrade?: (request: IncomingMessage, socket: Socket) => void) {
  const server = http.createServer(onRequest);
  if (onUpgrade) server.on('upgrade', onUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A listener that forwards everything to a port. */
async function proxyTo(port: number, options: Partial<Upstream & UpstreamServer> = {}) {
  const { protocol = 'http:', connectTimeoutMs } = options;
  const server = { protocol, host: '127.0.0.1', port };
  const connections = new ServerConnections({ ...server, connectTimeoutMs });
  onTestFinished(() => connections.close());
  const ended: Exchange[] = [];
  const listener = await listen((exchange) => {
    const path = exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`;
    forward(exchange, { ...server, connections, path, ...options }, { idleTimeoutMs: 60_000 })
      .catch((error: StatusError) => respondError({ exchange, formats, compatibility: specification }, error))
      .finally(() => ended.push(exchange));
  });
  return { listener, ended };
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe.each(versions)('a request over %s', (_version, send) => {
  it('is passed on with its method, path, query, headers and body, and so is its response', async () => {
    const port = await upstreamOf(async (request, response) => {
      const body = await bodyOf(request);
      response.writeHead(418, { 'X-Kind': 'teapot', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`);
    });
    const { listener } = await proxyTo(port);
    const response = await send(listener, {
      method: 'PUT',
      path: '/a%2Fb/..%2e//c?q=%20&w',
      headers: { 'x-a': 'yes' },
      body: Buffer.from('content'),
    });
    expect(String(response.body)).toBe('PUT /a%2Fb/..%2e//c?q=%20&w yes content');
    expect(response).toMatchObject({ status: 418, headers: { 'x-kind': 'teapot', 'set-cookie': ['a=1', 'b=2'] } });
  });

  it('keeps secrets and connection headers to itself', async () => {
    const port = await upstreamOf(({ headers }, response) => response.end(JSON.stringify(headers)));
    const { listener } = await proxyTo(port, { headers: { 'x-remote-user': 'jane', 'x-gone': undefined } });
    const response = await send(listener, {
      headers: {
        authorization: 'Bearer s3cr3t',
        'impersonate-user': 'root',
        'x-remote-user': 'root',
        'x-remote-group': 'system:masters',
        'x-gone': '1',
        'x-kept': '1',
        'x-forwarded-for': '10.0.0.1',
      },
    });
    expect(JSON.parse(String(response.body))).toEqual({
      host: `127.0.0.1:${port}`,
      connection: 'keep-alive',
      'x-remote-user': 'jane',
      'x-kept': '1',
      'x-forwarded-for': '10.0.0.1, 127.0.0.1',
    });
  });

  it('has its cookies in one header', async () => {
    const port = await upstreamOf(({ rawHeaders }, response) => response.end(JSON.stringify(rawHeaders)));
    const { listener } = await proxyTo(port);
    const { body } = await send(listener, { headers: { cookie: ['a=1', 'b=2'], 'x-a': ['1', '2'] } });
    const raw = JSON.parse(String(body)) as string[];
    const valuesOf = (name: string) => raw.filter((_value, at) => raw[at - 1]?.toLowerCase() === name && at % 2 === 1);
    expect(valuesOf('cookie')).toEqual(['a=1; b=2']);
    expect(valuesOf('x-a').join(', ')).toBe('1, 2');
  });

  it('and its response may be of any size, byte for byte', async () => {
    const port = await upstreamOf((request, response) => request.pipe(response));
    const { listener } = await proxyTo(port);
    const body = randomBytes(2 * 1024 * 1024);
    const response = await send(listener, { method: 'POST', body });
    expect(createHash('sha256').update(response.body).digest()).toEqual(createHash('sha256').update(body).digest());
  });

  it('is not repeated at the place that a redirect names', async () => {
    const port = await upstreamOf((_request, response) => response.writeHead(302, { location: 'http://x/y' }).end());
    const { listener } = await proxyTo(port);
    expect(await send(listener)).toMatchObject({ status: 302, headers: { location: 'http://x/y' } });
  });

  it('gets a single header of those that must not be repeated', async () => {
    const port = await upstreamOf((_request, response) => {
      response.writeHead(200, [
        'Content-Type',
        'a/b',
        'Content-Type',
        'c/d',
        'ETag',
        '1',
        'ETag',
        '2',
        'X-A',
        '1',
        'X-A',
        '2',
      ]);
      response.end('x');
    });
    const { listener } = await proxyTo(port);
    expect(await send(listener)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'a/b', etag: '1', 'x-a': '1, 2' },
    });
  });

  it('has a response without a body for HEAD', async () => {
    const port = await upstreamOf((_request, response) => response.writeHead(200, { 'content-length': 42 }).end());
    const { listener } = await proxyTo(port);
    const response = await send(listener, { method: 'HEAD' });
    expect(response).toMatchObject({ status: 200, headers: { 'content-length': '42' } });
    expect(response.body).toHaveLength(0);
  });

  it('fails with a 503 when the server cannot be reached', async () => {
    const { listener } = await proxyTo(1);
    const { status, body } = await send(listener);
    expect(status).toBe(503);
    expect(JSON.parse(String(body))).toMatchObject({
      reason: 'ServiceUnavailable',
      message: 'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused',
    });
  });

  it('fails with a 504 when the server does not respond in time', async () => {
    const port = await upstreamOf(() => {});
    const { listener } = await proxyTo(port, { responseTimeoutMs: 20 });
    expect((await send(listener)).status).toBe(504);
  });

  it('ends at once when the server breaks off', async () => {
    const port = await upstreamOf((_request, response) => {
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const { listener, ended } = await proxyTo(port);
    await expect(send(listener)).rejects.toThrow();
    await expect.poll(() => ended).toHaveLength(1);
  });
});

it.each([
  ['a status', 999, {}],
  ['a header', 200, { 'http2-settings': 'x' }],
])('fails when HTTP/2 has no such response: %s', async (_what, status, headers) => {
  const gone = deferred();
  const port = await upstreamOf((_request, response) => {
    response.once('close', () => gone.resolve());
    response.writeHead(status, headers).write('and so on');
  });
  const { listener } = await proxyTo(port);
  const response = await sendHttp2(listener);
  expect(response.status).toBe(503);
  expect(JSON.parse(String(response.body)).message).toMatch(/^error trying to reach service: /);
  await gone.promise;
});

it('fails when a connection takes too long', async () => {
  const silent = net.createServer((socket) => void socket.resume().on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  // The TLS handshake is part of the connection.
  const { listener } = await proxyTo(port, { protocol: 'https:', connectTimeoutMs: 20 });
  const { status, body } = await sendHttp1(listener);
  expect(status).toBe(503);
  expect(JSON.parse(String(body)).message).toBe(
    `error trying to reach service: dial tcp 127.0.0.1:${port}: i/o timeout`,
  );
});

it('fails when it is to end before there is a response', async () => {
  const requested = deferred();
  const port = await upstreamOf(() => requested.resolve());
  const server = { protocol: 'http:', host: '127.0.0.1', port } as const;
  const connections = new ServerConnections(server);
  const stop = new AbortController();
  const failure = deferred<StatusError>();
  const listener = await listen((exchange) => {
    const upstream = { ...server, connections, path: '/' };
    forward(exchange, upstream, { stop: stop.signal, idleTimeoutMs: 60_000 }).catch((error: StatusError) => {
      failure.resolve(error);
      respondError({ exchange, formats, compatibility: specification }, error);
    });
  });
  const response = sendHttp1(listener);
  await requested.promise;
  stop.abort();
  expect(await failure.promise).toMatchObject({ message: 'error trying to reach service: context canceled' });
  expect((await response).status).toBe(503);
});

it('takes the request away when the client disconnects', async () => {
  const gone = deferred<boolean>();
  const port = await upstreamOf((_request, response) => {
    response.write('half');
    response.once('close', () => gone.resolve(response.writableFinished));
  });
  const { listener } = await proxyTo(port);
  const socket = await connectRaw(listener);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  expect(await gone.promise).toBe(false);
});

it('does not buffer a response that the client does not read', async () => {
  let written = 0;
  const stalled = deferred();
  const port = await upstreamOf((_request, response) => {
    const chunk = Buffer.alloc(256 * 1024);
    // More data than all buffers between the two servers hold.
    for (; written < 256 * 1024 * 1024; written += chunk.length) {
      if (!response.write(chunk)) break;
    }
    response.on('drain', () => {
      written += chunk.length;
      if (written > 256 * 1024 * 1024) response.destroy();
      else response.write(chunk);
    });
    response.once('close', () => stalled.resolve());
  });
  const { listener } = await proxyTo(port);
  const socket = await connectRaw(listener);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = written > 0 && written === before;
        before = written;
        return isStill;
      },
      { interval: 200 },
    )
    .toBe(true);
  expect(written).toBeLessThan(64 * 1024 * 1024);
  socket.destroy();
  await stalled.promise;
});

describe('an upgrade', () => {
  const echo = (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nX-Method: ${request.method}\r\n\r\nhello `,
    );
    socket.pipe(socket);
  };

  it.each([
    ['SPDY/3.1', 'POST'],
    ['websocket', 'GET'],
  ])('to %s by %s is passed on over HTTP/1.1', async (protocol, method) => {
    const port = await upstreamOf(() => {}, echo);
    const { listener, ended } = await proxyTo(port);
    const socket = await connectRaw(listener);
    socket.write(`${method} / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\nworld`);
    let text = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (text.endsWith('world')) break;
    }
    expect(text).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
    expect(text).toContain(`x-method: ${method}\r\n`);
    expect(text).toMatch(/\r\n\r\nhello world$/);
    socket.end();
    await expect.poll(() => ended).toHaveLength(1);
  });

  it('is a WebSocket over HTTP/2', async () => {
    const seen: IncomingMessage[] = [];
    const port = await upstreamOf(
      () => {},
      (request, socket) => {
        seen.push(request);
        echo(request, socket);
      },
    );
    const { listener, ended } = await proxyTo(port);
    const session = connectHttp2(listener);
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    const stream: Duplex = session.request({
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':scheme': 'https',
      ':authority': 'x',
      ':path': '/sub',
      'sec-websocket-version': '13',
    });
    const response = new Promise((resolve) => stream.once('response', resolve));
    expect(await response).toMatchObject({ ':status': 200, 'x-method': 'GET' });
    stream.write('world');
    let text = '';
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (text.endsWith('world')) break;
    }
    expect(text).toBe('hello world');
    expect(seen[0]!.headers).toMatchObject({ upgrade: 'websocket', connection: 'upgrade' });
    expect(seen[0]!.headers['sec-websocket-key']).toHaveLength(24);
    stream.end();
    await expect.poll(() => ended).toHaveLength(1);
  });

  it('is answered with the response of the server if the server declines it', async () => {
    const port = await upstreamOf((_request, response) => response.writeHead(403).end('no'));
    const { listener } = await proxyTo(port);
    const socket = await connectRaw(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1.1 403 Forbidden\r\n.*no\r\n0\r\n\r\n$/s);
  });

  it('ends on both sides when the server dies', async () => {
    const port = await upstreamOf(
      () => {},
      (request, socket) => {
        echo(request, socket);
        socket.once('data', () => socket.resetAndDestroy());
      },
    );
    const { listener, ended } = await proxyTo(port);
    const socket = await connectRaw(listener);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nx');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    await expect.poll(() => ended).toHaveLength(1);
  });
});
