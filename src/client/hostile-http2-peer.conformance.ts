/** Servers that break or bend HTTP/2, for tests of everything that calls other servers. */
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import { createAuthority, issueServer, type KeyPair } from '../../test/wire/certificates.ts';

export const frame = (type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
export const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => void bytes.writeUInt32BE(value, 4 * index));
  return bytes;
};
const setting = (name: number, value: number): Buffer => Buffer.concat([Buffer.from([0, name]), words(value)]);

const settings = frame(4, 0, 0);
const status200 = Buffer.from([0x88]);
export const ok = frame(1, 4, 1, status200);
const length = (value: string): Buffer =>
  Buffer.concat([status200, Buffer.from([0x0f, 0x0d, value.length]), Buffer.from(value)]);
const processing = frame(1, 4, 1, Buffer.concat([Buffer.from([0x08, 3]), Buffer.from('102')]));

/** Called with a connection when the client has sent a request. */
type Peer = (socket: Socket) => void;
export const say =
  (...frames: Buffer[]): Peer =>
  (socket) =>
    void socket.write(Buffer.concat(frames));
const flood =
  (first: Buffer, again: Buffer): Peer =>
  (socket) => {
    socket.write(first);
    const bytes = Buffer.concat(Array(Math.ceil(16_384 / again.length)).fill(again));
    const more = (): void => {
      if (!socket.destroyed) socket.write(bytes, () => setImmediate(more));
    };
    more();
  };

const peers: Readonly<Record<string, Peer>> = {
  'answers nothing': () => {},
  'resets the request': say(frame(3, 0, 1, words(2))),
  'refuses all requests': say(frame(3, 0, 1, words(7))),
  'leaves before the request': say(frame(7, 0, 0, words(0, 0))),
  'leaves after the request': say(frame(7, 0, 0, words(1, 0))),
  'closes the connection': (socket) => socket.end(),
  'sends a head only': say(ok),
  'sends a head and closes': (socket) => socket.end(ok),
  'sends a head without end': flood(frame(1, 0, 1, status200), frame(9, 0, 1)),
  'informs without end': flood(Buffer.alloc(0), processing),
  'sends a body without end': flood(ok, frame(0, 0, 1, Buffer.alloc(100))),
  'sends less than the length': say(frame(1, 4, 1, length('9')), frame(0, 1, 1, Buffer.from('{}'))),
  'sends more than the length': say(frame(1, 4, 1, length('1')), frame(0, 1, 1, Buffer.from('{}'))),
  'sends a body without a head': say(frame(0, 1, 1, Buffer.from('{}'))),
  'sends data of another request': say(frame(0, 1, 99, Buffer.from('{}'))),
  'sends garbage': say(Buffer.from('garbage'.repeat(100))),
  'floods with pings': flood(Buffer.alloc(0), frame(6, 0, 0, Buffer.alloc(8))),
  'floods with settings': flood(settings, settings),
  'pushes a response': say(frame(5, 4, 1, Buffer.concat([words(2), status200]))),
};

/** What others send before there is a request. */
const greetings: Readonly<Record<string, Buffer>> = {
  'sends no settings': Buffer.alloc(0),
  'accepts no request': frame(4, 0, 0, setting(3, 0)),
  'accepts no body': frame(4, 0, 0, setting(4, 0)),
  'leaves at once': Buffer.concat([settings, frame(7, 0, 0, words(0, 0))]),
  'sends garbage first': Buffer.from('garbage'.repeat(100)),
};

/** Calls back when the client has sent the head of a request. */
function onRequest(socket: Socket, callback: () => void): void {
  let received = Buffer.alloc(0);
  let at = 24;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
      if (received.readUInt8(at + 3) === 1) callback();
    }
  });
}

export interface RunningHttp2Peer {
  readonly authority: KeyPair;
  readonly server: Server;
  /** The number of its connections that are open. */
  readonly open: () => number;
  readonly opened: () => number;
}

/** Starts a server until the end of the test: with TLS at a port of 127.0.0.1, or without at the given address. */
export async function startHttp2Peer(
  { peer, greeting = settings }: { readonly peer: Peer; readonly greeting?: Buffer },
  plain?: ListenOptions,
): Promise<RunningHttp2Peer> {
  made ??= certificates();
  const { authority, pair } = await made;
  const sockets = new Set<Socket>();
  let opened = 0;
  const onSocket = (socket: Socket): void => {
    opened++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.write(greeting);
    onRequest(socket, () => peer(socket));
  };
  const server =
    plain === undefined ? tls.createServer({ ...pair, ALPNProtocols: ['h2'] }, onSocket) : createServer(onSocket);
  server.listen(plain ?? { host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { authority, server, open: () => sockets.size, opened: () => opened };
}

let made: Promise<{ readonly authority: KeyPair; readonly pair: KeyPair }> | undefined;

async function certificates(): Promise<{ readonly authority: KeyPair; readonly pair: KeyPair }> {
  const authority = await createAuthority('hostile');
  return { authority, pair: await issueServer(authority, '127.0.0.1') };
}

export const http2Peers = [
  ...Object.entries(peers).map(([name, peer]) => ({ name, peer, greeting: settings })),
  ...Object.entries(greetings).map(([name, greeting]) => ({ name, peer: () => {}, greeting })),
];
