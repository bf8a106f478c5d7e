import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import {
  continuationFrame,
  dataFrame,
  errorCode,
  type Field,
  fieldBlock,
  flag,
  frame,
  headersFrame,
  opening,
  pingFrame,
  preface,
  priorityFrame,
  resetFrame,
  setting,
  settingsFrame,
  windowUpdateFrame,
} from '../../src/http/listener/raw-frames.conformance.ts';
import { RawHttp2Client } from '../../src/http/listener/raw-http2-client.conformance.ts';
import type { TestApi } from '../wire/api.ts';
import { ProcessCost } from './process-cost.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

// Requests and frames that cost a client almost nothing must not cost the server much more.

/** The maximum memory for a flood. Without limits, each flood would use several times as much. */
const maxMegabytes = 200;
const maxCpuSeconds = 20;

const configMaps = '/api/v1/namespaces/default/configmaps';
const last = flag.endHeaders | flag.endStream;
const head = (method: string, path: string): Field[] => [
  [':method', method],
  [':scheme', 'https'],
  [':authority', 'x'],
  [':path', path],
];
const get = (path: string): Buffer => headersFrame(1, fieldBlock(head('GET', path)), last);
const post = headersFrame(1, fieldBlock([...head('POST', configMaps), ['content-type', 'application/json']]));
const many = (count: number, make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));
const repeated = (count: number, frames: Buffer): Buffer => Buffer.alloc(count * frames.length, frames);
const idOf = (index: number): number => 2 * index + 1;
const watching = get('/api/v1/namespaces/default/pods?watch=1');

/** Repeats the frames of stream 1 for this number of streams. */
function onStreams(count: number, ...frames: readonly Buffer[]): Buffer {
  const first = Buffer.concat(frames);
  const all = repeated(count, first);
  for (let at = 0; at < all.length; at += 9 + all.readUIntBE(at, 3)) {
    all.writeUInt32BE(idOf(Math.floor(at / first.length)), at + 5);
  }
  return all;
}

interface Flood {
  readonly name: string;
  readonly bytes: () => Buffer;
  readonly start?: Buffer;
  /** Whether the client reads nothing from the server. */
  readonly isDeaf?: boolean;
  /** Whether the server must end the connection before the flood is over. */
  readonly isRefused?: boolean;
}

const noWindow = Buffer.concat([preface, settingsFrame([[setting.initialWindowSize, 0]])]);
/** A header field that fills the dynamic table, followed by references to it of one byte each. */
const bomb = Buffer.concat([
  fieldBlock(head('GET', '/version')),
  Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4_000, 'b'),
  Buffer.alloc(12_000, 0xbe),
]);

const floods: readonly Flood[] = [
  {
    name: 'streams that the client resets',
    bytes: () => onStreams(10_000, watching, resetFrame(1, errorCode.cancel)),
    isRefused: true,
  },
  {
    name: 'streams that the client makes the server reset by a window of 0',
    bytes: () => onStreams(10_000, watching, windowUpdateFrame(1, 0)),
    isRefused: true,
  },
  {
    name: 'streams that the client makes the server reset by data behind their end',
    bytes: () => onStreams(10_000, watching, dataFrame(1, 'x')),
    isRefused: true,
  },
  {
    name: 'malformed requests',
    bytes: () => onStreams(10_000, headersFrame(1, fieldBlock([['x', 'y']]), last)),
    isRefused: true,
  },
  { name: 'streams beyond the limit', bytes: () => onStreams(10_000, watching), isRefused: true },
  {
    name: 'headers without an end',
    bytes: () =>
      Buffer.concat([
        headersFrame(1, fieldBlock(head('GET', '/')), flag.endStream),
        many(1_000, (index) => continuationFrame(1, fieldBlock([[`x-${index}`, 'y'.repeat(10_000)]]), 0)),
      ]),
    isRefused: true,
  },
  {
    name: 'empty headers without an end',
    bytes: () =>
      Buffer.concat([headersFrame(1, Buffer.alloc(0), 0), repeated(40_000, continuationFrame(1, Buffer.alloc(0), 0))]),
    isRefused: true,
  },
  { name: 'empty data', bytes: () => Buffer.concat([post, repeated(40_000, dataFrame(1, ''))]), isRefused: true },
  { name: 'settings', bytes: () => repeated(40_000, settingsFrame([])) },
  {
    name: 'settings whose acknowledgements are not read',
    bytes: () => repeated(80_000, settingsFrame([])),
    isDeaf: true,
  },
  { name: 'pings', bytes: () => repeated(40_000, pingFrame('12345678')) },
  { name: 'pings whose answers are not read', bytes: () => repeated(80_000, pingFrame('12345678')), isDeaf: true },
  { name: 'windows of the connection', bytes: () => repeated(40_000, windowUpdateFrame(0, 1)) },
  {
    name: 'windows of a stream',
    bytes: () => Buffer.concat([watching, repeated(40_000, windowUpdateFrame(1, 1))]),
  },
  {
    name: 'windows of every stream',
    bytes: () =>
      Buffer.concat([
        onStreams(100, watching),
        repeated(
          500,
          many(100, (index) => settingsFrame([[setting.initialWindowSize, index]])),
        ),
      ]),
  },
  {
    name: 'priorities',
    bytes: () =>
      repeated(
        40,
        many(1_000, (index) => priorityFrame(idOf(index), { dependsOn: idOf(index % 999) + 2_000 })),
      ),
  },
  { name: 'unknown frames', bytes: () => repeated(40_000, frame(0x42, Buffer.alloc(0), { id: 1 })) },
  {
    name: 'headers that unpack to much more',
    bytes: () => onStreams(200, headersFrame(1, bomb, last)),
  },
  {
    name: 'headers that are too large',
    bytes: () =>
      onStreams(
        500,
        headersFrame(1, fieldBlock(head('GET', '/version')), flag.endStream),
        ...Array.from({ length: 9 }, (_, index) =>
          continuationFrame(1, fieldBlock([[`x-${index}`, 'y'.repeat(15_000)]]), index === 8 ? flag.endHeaders : 0),
        ),
      ),
  },
  {
    name: 'large answers that are not read',
    bytes: () => onStreams(100, get(configMaps)),
    isDeaf: true,
  },
  {
    name: 'large answers without a window',
    start: noWindow,
    bytes: () => onStreams(100, get(configMaps)),
  },
  {
    name: 'a large answer, byte by byte',
    start: noWindow,
    bytes: () => Buffer.concat([get(configMaps), repeated(40_000, windowUpdateFrame(1, 1))]),
  },
  {
    name: 'bodies, byte by byte',
    bytes: () => Buffer.concat([onStreams(50, post), repeated(800, onStreams(50, dataFrame(1, '{')))]),
  },
];

async function open(api: TestApi, start: Buffer): Promise<RawHttp2Client> {
  const { port } = new URL(api.server.url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), ...api.tls, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return RawHttp2Client.handshake(socket, start);
}

it('floods do no harm', async () => {
  const args = ['--storage=memory', '--controllers=', `--data-dir=${await temporaryDirectory()}`];
  const server = ServeProcess.start(...args);
  const api = await server.api();
  const data = { text: 'x'.repeat(900_000) };
  for (let index = 0; index < 10; index++) await api.post(configMaps, { metadata: { name: `large-${index}` }, data });
  await api.get(configMaps);
  const healthy = connectHttp2(api.server.url, { ...api.tls });
  onTestFinished(() => healthy.destroy());
  const othersAreServed = async (): Promise<void> => {
    const [response] = await once(healthy.request({ ':path': '/version' }), 'response');
    expect(response[':status']).toBe(200);
    expect((await api.get('/readyz')).status).toBe(200);
  };
  for (const { name, bytes, start = opening, isDeaf = false, isRefused = false } of floods) {
    const client = await open(api, start);
    const cost = new ProcessCost(server.pid);
    if (isDeaf) client.socket.pause();
    client.socket.write(bytes());
    const isOver = isDeaf ? undefined : client.isAlive();
    for (let rounds = 0; rounds < 5; rounds++) await othersAreServed();
    if (isRefused) {
      expect.soft(await isOver, name).toBe(false);
      expect.soft(client.goAwayCode, name).not.toBe(errorCode.noError);
    } else {
      await isOver;
    }
    expect.soft(cost.megabytes, name).toBeLessThan(maxMegabytes);
    expect.soft(cost.cpuSeconds, name).toBeLessThan(maxCpuSeconds);
    client.socket.destroy();
    await othersAreServed();
  }
  expect(server.stderr).not.toMatch(/"level":50/);
});
