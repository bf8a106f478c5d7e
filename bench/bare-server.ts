import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * The baseline of every ratio: a server that does nothing but respond, which is the minimum cost of a server on Node.
 * It responds to a GET with bytes that the real server once returned for the same path. It parses the body of a POST,
 * serializes it again and returns it, and sends a prepared event to all watchers, whatever the path. It runs in a
 * separate process with its certificate in the environment. Responses are added over the IPC channel.
 */

export interface BareResponse {
  readonly path: string;
  /** Sent to clients whose Accept header is exactly this type. */
  readonly contentType: string;
  /** The file that contains the body. */
  readonly file: string;
}
/** Sets the bytes that watchers receive with every POST. */
export interface BareEvent {
  /** The file that contains the event in its wire format. */
  readonly event: string;
}
export interface BareReady {
  readonly http1Port: number;
  readonly http2Port: number;
}

interface PreparedResponse {
  readonly headers: Record<string, string | number>;
  readonly body: Buffer;
}

const pieceLength = 128 * 1024;
const tls = { key: process.env.BARE_KEY, cert: process.env.BARE_CERT };
/** Keyed by content type, then by path. */
const responses = new Map<string, Map<string, PreparedResponse>>();
const responseTo = (accept = '', path = '') => responses.get(accept)?.get(path);
const headersOf = (contentType: string, body: Buffer) => ({
  'content-type': contentType,
  'content-length': body.length,
});
const echo = (chunks: Buffer[]) => Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));

const http1Server = https.createServer(tls, (request, response) => {
  if (request.method === 'POST') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = echo(chunks);
      response.writeHead(201, headersOf('application/json', body)).end(body);
    });
    return;
  }
  const prepared = responseTo(request.headers.accept, request.url);
  if (prepared) sendInPieces(response.writeHead(200, prepared.headers), prepared.body);
  else response.writeHead(404).end();
});

/**
 * Over HTTP/1.1, a single write of several megabytes costs TLS twice as much as smaller writes. HTTP/2 splits bodies
 * itself.
 */
function sendInPieces(response: ServerResponse, body: Buffer, from = 0): void {
  let at = from;
  for (; body.length - at > pieceLength; at += pieceLength) {
    if (!response.write(body.subarray(at, at + pieceLength))) {
      response.once('drain', () => sendInPieces(response, body, at + pieceLength));
      return;
    }
  }
  response.end(body.subarray(at));
}

let event = Buffer.alloc(0);
const watchers = new Set<http2.ServerHttp2Stream>();
const http2Server = http2.createSecureServer(tls);
http2Server.on('stream', (stream, request) => {
  stream.on('error', () => {});
  if (request[':method'] === 'POST') {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const body = echo(chunks);
      for (const watcher of watchers) watcher.write(event);
      stream.respond({ ':status': 201, ...headersOf('application/json', body) });
      stream.end(body);
    });
    return;
  }
  const path = request[':path'] ?? '';
  if (path.includes('watch=1')) {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    watchers.add(stream);
    stream.on('close', () => watchers.delete(stream));
    return;
  }
  const prepared = responseTo(request.accept, path);
  stream.respond({ ':status': prepared ? 200 : 404, ...prepared?.headers });
  stream.end(prepared?.body);
});
// The load generator closes its connections abruptly at the end of a round. Nothing is lost.
http2Server.on('sessionError', () => {});

process.on('message', (message: BareResponse | BareEvent) => {
  if ('event' in message) event = readFileSync(message.event);
  else {
    const body = readFileSync(message.file);
    const ofType = responses.get(message.contentType) ?? new Map<string, PreparedResponse>();
    ofType.set(message.path, { headers: headersOf(message.contentType, body), body });
    responses.set(message.contentType, ofType);
  }
  process.send?.('added');
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group. The bench process ends its children in order.
process.on('SIGINT', () => {});

http1Server.listen(0, '127.0.0.1', () => {
  http2Server.listen(0, '127.0.0.1', () => {
    const ready: BareReady = {
      http1Port: (http1Server.address() as AddressInfo).port,
      http2Port: (http2Server.address() as AddressInfo).port,
    };
    process.send?.(ready);
  });
});
