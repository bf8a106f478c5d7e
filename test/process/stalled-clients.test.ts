import { once } from 'node:events';
import { connect } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { SilentProxy } from '../../src/http/listener/silent-proxy.conformance.ts';
import type { TestApi } from '../wire/api.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

// No request in these tests may end by the request timeout. The default timeout is longer than any test. A server logs
// when a shorter one has elapsed.
const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--storage=memory', '--controllers='];
const serve = async ({ requestTimeout = '10m' } = {}) => {
  const args = ['serve', ...flags, `--request-timeout=${requestTimeout}`, `--data-dir=${await temporaryDirectory()}`];
  const server = new ServeProcess(args);
  return { server, api: await server.api() };
};

/** Stores more data than the buffers between client and server can hold. */
async function fill(api: TestApi): Promise<void> {
  const data = { text: 'x'.repeat(900_000) };
  const names = Array.from({ length: 12 }, (_, index) => `large-${index}`);
  await Promise.all(names.map((name) => api.post(configMaps, { metadata: { name }, data })));
}

async function openTls(api: TestApi, bytes: string): Promise<TLSSocket> {
  const { port } = new URL(api.server.url);
  const socket = connectTls({ host: '127.0.0.1', port: Number(port), ...api.tls });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  socket.pause();
  socket.write(bytes);
  return socket;
}

function openHttp2(api: TestApi, url = api.server.url) {
  const session = connect(url, { ...api.tls, checkServerIdentity: () => undefined });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const watched = `${configMaps}?watch=1`;
const post = `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100`;

type Stall = (api: TestApi) => Promise<unknown>;
const kinds: [string, Stall][] = [
  ['a watch over HTTP/1.1 that is not read', (api) => openTls(api, get(watched))],
  ['a list over HTTP/1.1 that is not read', (api) => openTls(api, get(configMaps))],
  ['half of a body over HTTP/1.1', (api) => openTls(api, `${post}\r\n\r\n{"metadata":`)],
  ['a body that is announced and does not come', (api) => openTls(api, `${post}\r\nExpect: 100-continue\r\n\r\n`)],
  ['half of the headers', (api) => openTls(api, 'GET / HTTP/1.1\r\nHost:')],
  ['a watch over HTTP/2 that is not read', async (api) => openHttp2(api).request({ ':path': watched })],
  ['a list over HTTP/2 that is not read', async (api) => openHttp2(api).request({ ':path': configMaps })],
  [
    'half of a body over HTTP/2',
    async (api) => {
      const headers = { ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' };
      const stream = openHttp2(api).request(headers);
      stream.on('error', () => {});
      stream.write('{"metadata":');
    },
  ],
  [
    'a dead client with a watch over HTTP/2',
    async (api) => {
      const proxy = await SilentProxy.start(Number(new URL(api.server.url).port));
      const stream = openHttp2(api, `https://127.0.0.1:${proxy.port}`).request({ ':path': watched });
      await once(stream, 'response');
      proxy.fallSilent();
    },
  ],
  [
    'a WebSocket that is not read',
    async (api) => {
      const origin = api.server.url;
      const client = new WebSocket(new URL(watched, origin.replace('https', 'wss')), { ...api.tls, origin });
      client.on('error', () => {});
      onTestFinished(() => client.terminate());
      await once(client, 'open');
      client.pause();
    },
  ],
];

/** Reads the status of the response. */
function responseStatus(socket: TLSSocket): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk;
      const status = /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(text)?.[1];
      if (status !== undefined) resolve(status);
    });
    socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
    socket.resume();
  });
}

/** Sends a byte from time to time until the connection is closed. */
function trickle(socket: TLSSocket): void {
  const timer = setInterval(() => socket.write(' '), 100);
  socket.once('close', () => clearInterval(timer));
}

/** An incomplete body whose request already has a response. */
interface RespondedBody {
  readonly kind: string;
  readonly bytes: string;
  /** By default the status of a request that takes too long. */
  readonly status?: string;
  /** What the client does after the response. Nothing by default. */
  readonly next?: (socket: TLSSocket) => void;
}

const half = `${post.replace(' HTTP', '?timeout=200ms HTTP')}\r\n\r\n{"metadata":`;
const inChunks = half.replace('Content-Length: 100', 'Transfer-Encoding: chunked');
const bodies: readonly RespondedBody[] = [
  { kind: 'half of a body', bytes: half },
  { kind: 'half of a body, and the client leaves', bytes: half, next: (socket) => socket.destroy() },
  { kind: 'half of a body, which goes on slowly', bytes: half, next: trickle },
  { kind: 'half of a body in chunks', bytes: inChunks.replace('{', 'ff\r\n{') },
  {
    kind: 'nothing after 100 Continue',
    bytes: half.replace('\r\n\r\n{"metadata":', '\r\nExpect: 100-continue\r\n\r\n'),
  },
  { kind: 'too large a body', bytes: `${post}000000\r\n\r\n{"metadata":`, status: '413' },
];

describe('SIGTERM', () => {
  // All clients are tested at the same time, because the server gives each of them some time.
  it('does not wait for clients that neither send nor read', async () => {
    const { server, api } = await serve();
    await fill(api);
    await Promise.all(kinds.map(([, stall]) => stall(api)));
    // When this request has a response, the server has received the requests before it.
    await api.get(configMaps);
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('does not wait for the rest of bodies that have got their responses', async () => {
    const { server, api } = await serve({ requestTimeout: '15s' });
    await Promise.all(
      bodies.map(async ({ kind, bytes, status = '504', next }) => {
        const socket = await openTls(api, bytes);
        expect(await responseStatus(socket), kind).toBe(status);
        next?.(socket);
      }),
    );
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.stderr).not.toContain('the drain took too long');
  });

  it('does not wait for the rest of a body longer than for its response', async () => {
    const { server, api } = await serve({ requestTimeout: '15s' });
    trickle(await openTls(api, half.replace('200ms', '2s')));
    await api.get(configMaps);
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.stderr).not.toContain('the drain took too long');
  });

  it('waits for a request that takes its time', async () => {
    const { server, api } = await serve();
    const { metadata } = (await api.get(configMaps)).body;
    const stalled = await openTls(api, `${post}\r\n\r\n{"metadata":`);
    const later = Number(metadata.resourceVersion) + 1000;
    // The request waits three seconds for that version.
    const slow = api.get(`${configMaps}?resourceVersion=${later}&resourceVersionMatch=NotOlderThan`);
    await api.get(configMaps);
    server.kill('SIGTERM');
    stalled.resume();
    await once(stalled, 'close');
    expect(await slow).toMatchObject({ status: 504, body: { reason: 'Timeout' } });
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});
