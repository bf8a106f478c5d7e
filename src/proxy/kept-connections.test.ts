import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen, sendHttp1 } from '../http/listener/test-listener.conformance.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { respondError } from '../http/render.ts';
import { specification } from '../meta/compatibility.ts';
import type { StatusError } from '../meta/status-error.ts';
import { forward } from './forward.ts';
import { ServerConnections } from './server-connections.ts';

const formats = new ObjectFormats(['json']);
const okResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A server that calls back with the head of each request and its number on the connection. */
async function rawServer(onRequest: (socket: Socket, number: number, connection: number) => void) {
  const sockets: Socket[] = [];
  const server: Server = net.createServer((socket) => {
    sockets.push(socket);
    const connection = sockets.length;
    let text = '';
    let number = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        text = text.slice(end + 4);
        onRequest(socket, ++number, connection);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A listener that forwards everything to a port. */
async function proxyTo(port: number) {
  const server = { protocol: 'http:', host: '127.0.0.1', port } as const;
  let isUnused = false;
  const connections = new ServerConnections(server, () => {
    isUnused = true;
  });
  onTestFinished(() => connections.close());
  const listener = await listen((exchange) => {
    forward(exchange, { ...server, connections, path: '/' }, { idleTimeoutMs: 60_000 }).catch((error: StatusError) =>
      respondError({ exchange, formats, compatibility: specification }, error),
    );
  });
  return { listener, connections, isUnused: () => isUnused };
}

it('are used again', async () => {
  const { port, sockets } = await rawServer((socket) => void socket.write(okResponse));
  const { listener } = await proxyTo(port);
  for (let i = 0; i < 5; i++) expect((await sendHttp1(listener)).status).toBe(200);
  expect(sockets).toHaveLength(1);
});

it('are not shared by requests at the same time', async () => {
  const waiting: Socket[] = [];
  const { port, sockets } = await rawServer((socket) => {
    if (waiting.push(socket) === 3) for (const one of waiting) one.write(okResponse);
  });
  const { listener } = await proxyTo(port);
  const responses = await Promise.all([sendHttp1(listener), sendHttp1(listener), sendHttp1(listener)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(sockets).toHaveLength(3);
});

it('are closed when nobody needs them any more', async () => {
  const { port, sockets } = await rawServer((socket) => void socket.write(okResponse));
  const { listener, connections, isUnused } = await proxyTo(port);
  await sendHttp1(listener);
  expect(isUnused()).toBe(false);
  connections.close();
  await expect.poll(() => sockets[0]!.destroyed).toBe(true);
  expect(isUnused()).toBe(true);
  // Later connections are closed after their request.
  expect((await sendHttp1(listener)).status).toBe(200);
  await expect.poll(() => sockets[1]!.destroyed).toBe(true);
});

it('are not used after the server has closed them', async () => {
  const { port, sockets } = await rawServer((socket) => void socket.write(okResponse));
  const { listener, isUnused } = await proxyTo(port);
  await sendHttp1(listener);
  sockets[0]!.destroy();
  await expect.poll(isUnused).toBe(true);
  expect((await sendHttp1(listener, { method: 'POST', body: Buffer.from('x') })).status).toBe(200);
  expect(sockets).toHaveLength(2);
});

describe('when the server closes one as the next request arrives', () => {
  const closing = (socket: Socket, number: number) => {
    if (number === 1) socket.write(okResponse);
    else socket.destroy();
  };

  it.each(['GET', 'HEAD', 'OPTIONS'])('a %s is repeated', async (method) => {
    const { port, sockets } = await rawServer(closing);
    const { listener } = await proxyTo(port);
    expect((await sendHttp1(listener)).status).toBe(200);
    expect((await sendHttp1(listener, { method })).status).toBe(200);
    expect(sockets).toHaveLength(2);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a %s is not repeated', async (method) => {
    const { port } = await rawServer(closing);
    const { listener } = await proxyTo(port);
    expect((await sendHttp1(listener)).status).toBe(200);
    const { status, body } = await sendHttp1(listener, { method });
    expect(status).toBe(503);
    expect(JSON.parse(String(body)).message).toMatch(/^error trying to reach service: (EOF|read: connection reset)/);
  });

  it('a new connection is not replaced by another one', async () => {
    const { port, sockets } = await rawServer((socket) => void socket.destroy());
    const { listener } = await proxyTo(port);
    expect((await sendHttp1(listener)).status).toBe(503);
    expect(sockets).toHaveLength(1);
  });
});

describe('a request with a body', () => {
  it('gets a response when the server cannot be reached', async () => {
    const { listener } = await proxyTo(1);
    const { status, body } = await sendHttp1(listener, { method: 'POST', body: Buffer.alloc(1024 * 1024) });
    expect(status).toBe(503);
    expect(JSON.parse(String(body)).message).toMatch(/connection refused$/);
  });

  it('gets a response that does not wait for the body', async () => {
    const { port } = await rawServer((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    });
    const { listener } = await proxyTo(port);
    const { status, body } = await sendHttp1(listener, { method: 'POST', body: Buffer.alloc(8 * 1024 * 1024) });
    expect({ status, body: String(body) }).toEqual({ status: 413, body: 'no' });
  });
});

it.each([
  ['a response that announces another', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${okResponse}`],
  ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n\r\n'],
  ['a body that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nok'],
])('%s is understood', async (_what, response) => {
  const { port } = await rawServer((socket) => {
    socket.write(response);
    if (response.startsWith('HTTP/1.1 200 OK\r\n\r\n')) socket.end();
  });
  const { listener } = await proxyTo(port);
  const { status, headers, body } = await sendHttp1(listener);
  expect({ status, body: String(body) }).toEqual({ status: 200, body: 'ok' });
  expect(headers).not.toHaveProperty('x-a');
});

it.each([
  ['what is not HTTP', 'SSH-2.0-x\r\n\r\n', /malformed HTTP response$/],
  ['headers without end', `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(64 * 1024)}`, /malformed HTTP response$/],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok', /malformed HTTP response$/],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    /it switched to another protocol without being asked$/,
  ],
])('%s in place of a response is refused', async (_what, response, message) => {
  const { port } = await rawServer((socket) => void socket.write(response));
  const { listener } = await proxyTo(port);
  const { status, body } = await sendHttp1(listener);
  expect(status).toBe(503);
  expect(JSON.parse(String(body)).message).toMatch(message);
});
