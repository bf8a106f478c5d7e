/** Servers that break or bend HTTP/1.1, for tests of everything that calls other servers. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import { createAuthority, issueServer, type KeyPair } from '../../test/wire/certificates.ts';

/** Called with each connection when the first bytes of a request have arrived. */
type Peer = (socket: Socket) => void;

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Writes a text again and again until the connection closes. */
function repeat(text: string): Peer {
  return (socket) => {
    const timer = setInterval(() => socket.write(text), 2);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Writes as fast as the other side reads. */
function flood(text: string): Peer {
  return (socket) => {
    const bytes = Buffer.from(text.repeat(Math.ceil(16_384 / text.length)));
    const more = (): void => {
      if (!socket.destroyed) socket.write(bytes, () => setImmediate(more));
    };
    more();
  };
}

function first(head: string, then: Peer): Peer {
  return (socket) => {
    socket.write(head);
    then(socket);
  };
}

const nothing: Peer = () => {};

export const hostilePeers: Readonly<Record<string, Peer>> = {
  'says nothing': nothing,
  'switches protocols': first(upgrade, nothing),
  'switches protocols and closes': (socket) => socket.end(upgrade),
  'switches protocols and goes on': first(upgrade, repeat('x')),
  'switches to no protocol': first('HTTP/1.1 101 Switching Protocols\r\n\r\n', nothing),
  'closes the connection': (socket) => socket.end(),
  'resets the connection': (socket) => socket.destroy(),
  'sends half a head': first(`${ok}X-Ha`, nothing),
  'sends half a head and closes': (socket) => socket.end(`${ok}X-Ha`),
  'sends a head without end': first(ok, repeat('X-More: 1\r\n')),
  'sends a body that trickles': first(`${ok}Transfer-Encoding: chunked\r\n\r\n`, repeat('1\r\n \r\n')),
  'sends a body without length that trickles': first(`${ok}Connection: close\r\n\r\n`, repeat(' ')),
  'sends a body without end': first(`${ok}Transfer-Encoding: chunked\r\n\r\n`, flood(`400\r\n${' '.repeat(1024)}\r\n`)),
  'sends half a body': first(`${ok}Content-Length: 100\r\n\r\n{`, nothing),
  'sends half a body and closes': (socket) => socket.end(`${ok}Content-Length: 100\r\n\r\n{`),
  'sends half a chunk': first(`${ok}Transfer-Encoding: chunked\r\n\r\n5\r\n{`, nothing),
  'sends more than the length': first(`${ok}Content-Length: 1\r\n\r\n{}`, nothing),
  'sends two responses': first(`${ok}Content-Length: 1\r\n\r\n{${ok}Content-Length: 1\r\n\r\n{`, nothing),
  'sends two lengths': first(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, nothing),
  'sends a negative length': first(`${ok}Content-Length: -1\r\n\r\n{}`, nothing),
  'redirects without end': first(
    'HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n',
    nothing,
  ),
  'informs without end': repeat('HTTP/1.1 102 Processing\r\n\r\n'),
  'floods with information': flood('HTTP/1.1 103 Early Hints\r\n\r\n'),
  'sends garbage': first('\0\x01garbage\r\n\r\n', nothing),
  'floods with garbage': flood('garbage '),
  'sends an unknown version': first('HTTP/9.9 200 OK\r\n\r\n', nothing),
};

export interface RunningPeer {
  readonly url: URL;
  readonly port: number;
  /** The CA of its certificate, as PEM. */
  readonly ca: string;
  /** The number of its connections that are open. */
  readonly open: () => number;
}

let made: Promise<{ readonly authority: KeyPair; readonly pair: KeyPair }> | undefined;

async function certificates(): Promise<{ readonly authority: KeyPair; readonly pair: KeyPair }> {
  const authority = await createAuthority('hostile');
  return { authority, pair: await issueServer(authority, '127.0.0.1') };
}

/** Starts a server with TLS until the end of the test. Without a peer, it does not even answer the TLS handshake. */
export async function startPeer(peer: Peer | undefined): Promise<RunningPeer> {
  made ??= certificates();
  const { authority, pair } = await made;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  const server =
    peer === undefined
      ? createServer((socket) => keep(socket.resume()))
      : tls.createServer({ ...pair, ALPNProtocols: ['http/1.1'] }, (socket) => {
          keep(socket);
          socket.once('data', () => {
            socket.resume();
            peer(socket);
          });
        });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`https://127.0.0.1:${port}`), port, ca: authority.cert, open: () => sockets.size };
}
