import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { SpdyConnection, type SpdyStream } from '../../src/streams/index.ts';
import type { Container, ContainerSet, LogLine } from './container.ts';
import { type CommandRequest, serveSpdyCommand, serveWebSocketCommand } from './remote-command.ts';

/** Certificates in PEM. */
export interface KubeletCertificates {
  readonly cert: string;
  readonly key: string;
  /** The CA for client certificates, which are required. */
  readonly clientCa: string;
}

const spdyProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const portForwardProtocol = 'portforward.k8s.io';

/** The HTTPS API of a kubelet: logs, exec, attach and port-forward for real processes. */
export class KubeletServer {
  readonly port: number;
  /** The requests so far, newest last. */
  readonly requests: string[] = [];
  readonly #server: https.Server;
  readonly #sockets = new Set<Socket>();
  readonly #containers: ContainerSet;

  private constructor(server: https.Server, containers: ContainerSet) {
    this.#server = server;
    this.#containers = containers;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request, response) => this.#onRequest(request, response));
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.#onUpgrade(request, socket));
  }

  static async start({ cert, key, clientCa }: KubeletCertificates, containers: ContainerSet): Promise<KubeletServer> {
    const server = https.createServer({ cert, key, ca: clientCa, requestCert: true, rejectUnauthorized: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new KubeletServer(server, containers);
  }

  /** The number of connected clients. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** The number of bytes that were sent on the open connections. */
  get bytesWritten(): number {
    return [...this.#sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(`${request.method} ${request.url}`);
    const { url, container, what, names } = this.#parse(request);
    const refuse = (status: number, text: string): void => void response.writeHead(status).end(text);
    if (what !== 'containerLogs') refuse(404, '404 page not found\n');
    else if (container === undefined) refuse(404, `container "${names[2]}" in pod "${names[1]}" is not available`);
    else if (url.searchParams.has('previous')) {
      refuse(400, `previous terminated container "${names[2]}" in pod "${names[1]}" not found`);
    } else sendLog(container, url.searchParams, response);
  }

  #parse(request: IncomingMessage) {
    const url = new URL(request.url!, 'https://kubelet');
    const [, what = '', ...names] = url.pathname.split('/');
    const [namespace = '', pod = '', name = ''] = names;
    return { url, what, names, container: this.#containers.find(namespace, pod, name) };
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex): void {
    socket.on('error', () => {});
    this.requests.push(`${request.method} ${request.url} ${request.headers.upgrade}`);
    const { url, what, names, container } = this.#parse(request);
    if (what === 'portForward' && this.#containers.hasPod(names[0]!, names[1]!)) {
      forwardPorts(request, socket);
      return;
    }
    if ((what !== 'exec' && what !== 'attach') || container === undefined) {
      refuseUpgrade(socket, 404, `container not found ("${names[2]}")`);
      return;
    }
    const { searchParams: query } = url;
    const command: CommandRequest = {
      container,
      command: what === 'exec' ? query.getAll('command') : undefined,
      stdin: query.get('input') === '1',
      stdout: query.get('output') === '1',
      stderr: query.get('error') === '1' && query.get('tty') !== '1',
      tty: query.get('tty') === '1',
    };
    if (!command.stdin && !command.stdout && !command.stderr) {
      refuseUpgrade(socket, 400, 'you must specify at least 1 of stdin, stdout, stderr');
    } else if (request.headers.upgrade?.toLowerCase() === 'websocket') {
      const server = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first! });
      server.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) =>
        serveWebSocketCommand({ webSocket, connection: socket }, command),
      );
    } else if (acceptSpdy(request, socket, spdyProtocols)) serveSpdyCommand(socket, command);
  }
}

function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Selects the first protocol of the client that the kubelet supports. */
function acceptSpdy({ rawHeaders }: IncomingMessage, socket: Duplex, known: readonly string[]): boolean {
  const offered = rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'x-stream-protocol-version',
  );
  const chosen = offered.find((protocol) => known.includes(protocol));
  if (chosen === undefined) {
    refuseUpgrade(socket, 403, `unable to upgrade: unable to negotiate protocol: client supports [${offered}]`);
    return false;
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${chosen}\r\n\r\n`,
  );
  return true;
}

function forwardPorts(request: IncomingMessage, socket: Duplex): void {
  if (!acceptSpdy(request, socket, [portForwardProtocol])) return;
  const errors = new Map<string, SpdyStream>();
  new SpdyConnection(socket, {
    role: 'server',
    onStream: (stream) => {
      stream.reply();
      const { streamtype, requestid = '', port } = stream.headers;
      if (streamtype === 'error') {
        errors.set(requestid, stream);
        return;
      }
      forwardPort(stream, errors.get(requestid)!, Number(port));
      errors.delete(requestid);
    },
  });
}

function forwardPort(data: SpdyStream, error: SpdyStream, port: number): void {
  const target = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  target.pipe(data).pipe(target);
  target.once('error', ({ message }) => {
    error.end(`error forwarding port ${port} to pod: ${message}`);
    data.destroy();
  });
  target.once('close', () => error.end());
  data.once('close', () => {
    if (!data.readableEnded) target.destroy();
  });
}

function sendLog(container: Container, query: URLSearchParams, response: ServerResponse): void {
  const stream = query.get('stream') ?? 'All';
  const seconds = query.get('sinceSeconds');
  const since = seconds === null ? Date.parse(query.get('sinceTime') ?? '') : Date.now() - Number(seconds) * 1000;
  const wanted = container.lines
    .filter((line) => stream === 'All' || line.stream === stream)
    .filter(({ time }) => Number.isNaN(since) || time.getTime() >= since);
  const tail = query.get('tailLines');
  const format = ({ time, text }: LogLine): string =>
    query.get('timestamps') === 'true' ? `${time.toISOString()} ${text}\n` : `${text}\n`;
  const lines = tail === null ? wanted : wanted.slice(wanted.length - Math.min(wanted.length, Number(tail)));
  const limit = Number(query.get('limitBytes') ?? Number.POSITIVE_INFINITY);
  response.writeHead(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' });
  response.write(Buffer.from(lines.map(format).join('')).subarray(0, limit));
  if (query.get('follow') !== 'true' || container.exitCode !== undefined) {
    response.end();
    return;
  }
  const follow = (line: LogLine): void => void response.write(format(line));
  const end = (): void => void response.end();
  container.on('line', follow);
  container.once('exit', end);
  response.once('close', () => {
    container.off('line', follow);
    container.off('exit', end);
  });
}
