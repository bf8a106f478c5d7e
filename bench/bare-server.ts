import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * The unit of every ratio: a server that does nothing but answer, the floor of what a server on Node can cost. A GET
 * gets bytes that the real server once gave for the same path; a POST gets its own body back, parsed and written again,
 * and everybody who watches gets an event that was made before, whatever the path.
 * A process of its own with its certificate in the environment; answers are added over the IPC channel.
 */

export interface BareAnswer {
  readonly path: string;
  /** Those who accept exactly this get it. */
  readonly contentType: string;
  /** The file that holds the body. */
  readonly file: string;
}
/** From now on watchers get these bytes with every POST. */
export interface BareEvent {
  /** The file that holds the event as it goes over the wire. */
  readonly event: string;
}
export interface BareReady {
  readonly http1Port: number;
  readonly http2Port: number;
}

interface Answer {
  readonly headers: Record<string, string | number>;
  readonly body: Buffer;
}

const pieceLength = 128 * 1024;
const tls = { key: process.env.BARE_KEY, cert: process.env.BARE_CERT };
/** By content type and path. */
const answers = new Map<string, Map<string, Answer>>();
const answerTo = (accept = '', path = '') => answers.get(accept)?.get(path);
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
  const answer = answerTo(request.headers.accept, request.url);
  if (answer) sendInPieces(response.writeHead(200, answer.headers), answer.body);
  else response.writeHead(404).end();
});

/** Over HTTP/1.1 a body of megabytes in a single write costs TLS twice as much as in pieces. HTTP/2 cuts it by itself. */
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
  const answer = answerTo(request.accept, path);
  stream.respond({ ':status': answer ? 200 : 404, ...answer?.headers });
  stream.end(answer?.body);
});
// The load generator hangs up at the end of a round without a goodbye; nothing is lost by it.
http2Server.on('sessionError', () => {});

process.on('message', (message: BareAnswer | BareEvent) => {
  if ('event' in message) event = readFileSync(message.event);
  else {
    const body = readFileSync(message.file);
    const ofType = answers.get(message.contentType) ?? new Map<string, Answer>();
    ofType.set(message.path, { headers: headersOf(message.contentType, body), body });
    answers.set(message.contentType, ofType);
  }
  process.send?.('added');
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the bench itself ends its children, in order.
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
