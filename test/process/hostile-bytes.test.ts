import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import {
  dataFrame,
  frame,
  headersFrame,
  opening,
  postBlock,
  resetFrame,
} from '../../src/http/listener/raw-frames.conformance.ts';
import { Random } from '../codec/random.ts';
import { isLong } from '../is-long.ts';
import type { TestApi } from '../wire/api.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

// Whatever bytes a client sends, the process keeps running and serves other clients.

const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--storage=memory', '--controllers='];
const serve = async (prefix: string[] = []) =>
  new ServeProcess(['serve', ...flags, `--data-dir=${await temporaryDirectory()}`], { prefix });

type Ending = 'end' | 'destroy' | 'reset' | 'wait';
const endings: readonly Ending[] = ['end', 'destroy', 'reset', 'wait'];

interface Throw {
  readonly bytes: readonly Buffer[];
  readonly ending: Ending;
  /** Undefined for a connection without TLS. */
  readonly protocol?: string;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const watch = `GET ${configMaps}?watch=1 HTTP/1.1`;
const upgrade = (lines: string) => `Connection: Upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`;
const http1 = (random: Random): Buffer[] => {
  const junk = random.bytes(random.below(400));
  const key = `Sec-WebSocket-Key: ${random.bytes(16).toString('base64')}`;
  return random
    .pick([
      ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', junk],
      [
        `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"a":`,
        junk,
      ],
      [`POST ${configMaps} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, junk],
      [`PUT ${configMaps}/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n`, junk],
      [`${watch}\r\nHost: x\r\nOrigin: https://x\r\n${upgrade(`${key}\r\nSec-WebSocket-Version: 13\r\n`)}`, junk],
      [`${watch}\r\nHost: x\r\nOrigin: https://x\r\n${upgrade('Sec-WebSocket-Version: 99\r\n')}`, junk],
      [`${watch}\r\nHost: x\r\nOrigin: https://x\r\n${upgrade('Sec-WebSocket-Key: %\r\n')}`, junk],
      [`GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c, spdy/3.1\r\n\r\n`, junk],
      [`CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`, junk],
      [`GET /%00%zz HTTP/1.1\r\nHost: x\r\n\r\nGET`, junk],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(random.below(200_000))}\r\n\r\n`, junk],
      [`${watch}\r\nHost: x\r\n\r\n${watch}\r\nHost: x\r\n\r\n`, junk],
      [junk],
    ])
    .map((chunk) => Buffer.from(chunk));
};
const http2 = (random: Random): Buffer[] => {
  const id = random.pick([0, 1, 2, 3, 2 ** 31 - 1]);
  const junk = random.bytes(random.below(300));
  return [
    opening,
    ...Array.from({ length: 1 + random.below(20) }, () =>
      random.pick([
        () =>
          frame(random.below(12), random.bytes(random.below(60)), { id: random.below(6), flags: random.below(256) }),
        () => headersFrame(1 + 2 * random.below(200), postBlock),
        () => headersFrame(id, junk),
        () => dataFrame(id, junk),
        () => resetFrame(1 + 2 * random.below(200), random.below(16)),
        () => frame(8, Buffer.alloc(4), { id }),
        () => frame(8, Buffer.from([0x7f, 0xff, 0xff, 0xff]), { id }),
        () => frame(6, random.bytes(8)),
        () => frame(4, random.bytes(6 * random.below(4))),
        () => frame(7, random.bytes(8)),
        () => frame(9, junk, { id: 1 }),
        () => junk,
      ])(),
    ),
  ];
};

/** Generates random bytes to send. The same seed gives the same bytes. */
function thrown(random: Random): Throw {
  const ending = random.pick(endings);
  switch (random.below(4)) {
    case 0: {
      const hello = Buffer.concat([
        Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
        random.bytes(random.below(600)),
      ]);
      return { ending, bytes: [random.pick([hello, Buffer.from('GET / HTTP/1.1\r\n\r\n'), random.bytes(200)])] };
    }
    case 1:
      return { ending, protocol: 'http/1.1', bytes: http1(random) };
    case 2:
      // The bytes are for the wrong protocol.
      return { ending, protocol: 'h2', bytes: http1(random) };
    default:
      return { ending, protocol: 'h2', bytes: http2(random) };
  }
}

async function attack(api: TestApi, { bytes, ending, protocol }: Throw): Promise<void> {
  const at = { host: '127.0.0.1', port: Number(new URL(api.server.url).port) };
  const raw: Socket = connectTcp(at);
  raw.on('error', () => {});
  const socket = protocol === undefined ? raw : connectTls({ ...api.tls, socket: raw, ALPNProtocols: [protocol] });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => raw.once('close', resolve));
  socket.resume();
  for (const chunk of bytes) socket.write(chunk);
  await Promise.race([closed, once(socket, protocol === undefined ? 'connect' : 'secureConnect').catch(() => {})]);
  if (ending === 'end') socket.end();
  else if (ending === 'destroy') socket.destroy();
  else if (ending === 'reset') raw.resetAndDestroy();
  // When this request has a response, the server has processed the bytes before.
  if (ending === 'end' || ending === 'wait') await api.get('/version');
  raw.destroy();
  await closed;
}

it('survives bytes of every kind', async () => {
  const server = await serve();
  const api = await server.api();
  let ended = false;
  void server.exited.then(() => (ended = true));
  for (let seed = 0; seed < (isLong ? 300 : 150); seed++) {
    await attack(api, thrown(new Random(seed)));
    if (seed % 20 === 0) expect((await api.get('/readyz')).text, `seed ${seed}`).toBe('ok');
    expect(ended, `seed ${seed}: ${server.stderr}`).toBe(false);
  }
  expect((await api.get(configMaps)).status).toBe(200);
  // The server has logged none of this as its own error.
  expect(server.stderr).not.toMatch(/"level":50/);
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

it('survives more connections than it may have open files', async () => {
  const server = await serve(['sh', '-c', 'ulimit -n 80; exec "$@"', 'sh']);
  const api = await server.api();
  const { port } = new URL(api.server.url);
  const sockets = Array.from({ length: 200 }, () => connectTcp(Number(port), '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await api.get('/readyz').catch(() => undefined))?.text).toBe('ok');
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});
