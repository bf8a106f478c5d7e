import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createWebSocketStream, WebSocket } from 'ws';
import { SpdyConnection } from '../../src/streams/index.ts';
import { createPod, TestNode } from '../kubelet/test-node.ts';

let node: TestNode;
let pod: string;
let echo: Server;
let port: number;
beforeAll(async () => {
  node = await TestNode.start();
  pod = await node.run('p');
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  port = (echo.address() as AddressInfo).port;
});
afterAll(async () => {
  echo.close();
  await node.stop();
});

type Connect = (path: string) => Promise<SpdyConnection>;

/** The WebSocket library rejects the slash in the name of the protocol, so it gets a connection after the handshake. */
interface ClientSide {
  new (
    address: null,
    protocols: undefined,
    options: object,
  ): WebSocket & { _isServer: boolean; setSocket(...values: unknown[]): void };
}

function requestTunnel(path: string, protocol: string) {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': protocol,
  };
  const call = request(`${node.api.server.url}${path}`, { ...node.api.tls, headers });
  call.end();
  return call;
}

const withTunnel: Connect = async (path) => {
  const [response, socket, head] = await once(requestTunnel(path, 'SPDY/3.1+portforward.k8s.io'), 'upgrade');
  expect(response.headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
  const webSocket = new (WebSocket as unknown as ClientSide)(null, undefined, {});
  webSocket._isServer = false;
  webSocket.setSocket(socket, head, { maxPayload: 1_000_000 });
  const stream = createWebSocketStream(webSocket);
  stream.on('error', () => {});
  return asClient(stream);
};

const withSpdy: Connect = async (path) => {
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };
  const call = request(`${node.api.server.url}${path}`, { ...node.api.tls, method: 'POST', headers });
  call.end();
  const [response, socket] = (await once(call, 'upgrade')) as [{ headers: Record<string, string> }, Duplex];
  expect(response.headers['x-stream-protocol-version']).toBe('portforward.k8s.io');
  return asClient(socket);
};

function asClient(socket: Duplex): SpdyConnection {
  const connection = new SpdyConnection(socket, { role: 'client' });
  onTestFinished(() => connection.destroy());
  return connection;
}

function forward(connection: SpdyConnection, target: number, requestid: number) {
  const headers = { port: `${target}`, requestid: `${requestid}` };
  const error = connection.open({ ...headers, streamtype: 'error' });
  error.end();
  return { error, data: connection.open({ ...headers, streamtype: 'data' }) };
}

describe.each<[string, Connect]>([
  ['SPDY in a WebSocket', withTunnel],
  ['SPDY', withSpdy],
])('port-forwarding over %s', (_name, connect) => {
  it('carries many connections', async () => {
    const connection = await connect(`${pod}/portforward`);
    const all = Array.from({ length: 30 }, async (_, index) => {
      const { error, data } = forward(connection, port, index);
      data.end(`connection ${index}`);
      expect(await Promise.all([text(data), text(error)])).toEqual([`connection ${index}`, '']);
    });
    await Promise.all(all);
  });

  it('carries any bytes in both directions', async () => {
    const connection = await connect(`${pod}/portforward?ports=80`);
    const sent = randomBytes(2_000_000);
    const { data } = forward(connection, port, 0);
    data.end(sent);
    expect((await buffer(data)).equals(sent)).toBe(true);
    expect(node.kubelet.requests.at(-1)).toBe('POST /portForward/default/p?port=80 SPDY/3.1');
  });

  it('tells why a port cannot be reached', async () => {
    const connection = await connect(`${pod}/portforward`);
    const { error } = forward(connection, 1, 0);
    expect(await text(error)).toBe('error forwarding port 1 to pod: connect ECONNREFUSED 127.0.0.1:1');
  });

  it('ends with the kubelet', async () => {
    const connection = await connect(`${pod}/portforward`);
    const { data } = forward(connection, port, 0);
    data.write('x');
    await once(data, 'data');
    node.kubelet.cut();
    await expect(connection.closed).resolves.toBeUndefined();
  });

  it('ends with the client', async () => {
    const connection = await connect(`${pod}/portforward`);
    await forward(connection, port, 0).data.opened;
    connection.destroy();
    await expect.poll(() => node.kubelet.connections).toBe(0);
  });
});

describe('a WebSocket for port-forwarding', () => {
  const refused = async (path: string, protocol: string): Promise<{ status: number; body: string }> => {
    const [response] = await once(requestTunnel(path, protocol), 'response');
    return { status: response.statusCode, body: await text(response) };
  };

  it('is answered by the kubelet when it does not switch', async () => {
    expect(await refused(`${pod}/portforward`, 'SPDY/3.1+other.k8s.io')).toEqual({
      status: 403,
      body: 'unable to upgrade: unable to negotiate protocol: client supports [other.k8s.io]',
    });
  });

  it('fails when the kubelet does not listen', async () => {
    await node.api.post('/api/v1/nodes', { metadata: { name: 'silent' } });
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 1 } } };
    await node.api.patch('/api/v1/nodes/silent/status', { status });
    await createPod(node.api, 'unheard', { nodeName: 'silent' });
    const response = await refused(
      '/api/v1/namespaces/default/pods/unheard/portforward',
      'SPDY/3.1+portforward.k8s.io',
    );
    expect(response.status).toBe(500);
    expect(JSON.parse(response.body).message).toBe(
      'error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });
});
