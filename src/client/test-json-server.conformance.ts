/** A real JSON server for tests of its clients. It is closed after each test. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createAuthority, issueServer, type KeyPair } from '../../test/wire/certificates.ts';
import type { ServerAccess } from './server-access.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** The common name of the client's certificate. */
  readonly client: string | undefined;
}

/** A value is sent as the response; a function writes the response itself. */
export type TestResponse = object | ((response: ServerResponse, request: IncomingMessage) => void);

export interface JsonServer {
  readonly url: URL;
  readonly authority: KeyPair;
  readonly seen: SeenRequest[];
  /** Number of accepted connections. */
  readonly connections: () => number;
  readonly access: (more?: Partial<ServerAccess>) => ServerAccess;
  readonly stop: () => Promise<void>;
}

export interface JsonServerOptions {
  /** The responses in order. The last one repeats. */
  readonly responses: readonly TestResponse[];
  /** Clients must present a certificate of this CA. */
  readonly clientAuthority?: KeyPair;
  /** The name in the server's certificate. */
  readonly address?: string;
}

interface Certificates {
  readonly authority: KeyPair;
  readonly certificate: KeyPair;
}

/** Created once per address. If the clock of the client lags behind, new certificates would not be valid yet. */
const made = new Map<string, Promise<Certificates>>();

function certificatesFor(address: string): Promise<Certificates> {
  const known = made.get(address) ?? createCertificates(address);
  made.set(address, known);
  return known;
}

async function createCertificates(address: string): Promise<Certificates> {
  const authority = await createAuthority('webhook-ca');
  return { authority, certificate: await issueServer(authority, address) };
}

export async function startJsonServer({ responses, clientAuthority, address }: JsonServerOptions): Promise<JsonServer> {
  const { authority, certificate } = await certificatesFor(address ?? '127.0.0.1');
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const options = clientAuthority === undefined ? {} : { ca: clientAuthority.cert, requestCert: true };
  const server = https.createServer({ ...certificate, ...options }, (request, response) => {
    void respond(request, response);
  });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const testResponse = responses[Math.min(seen.length, responses.length - 1)]!;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const peer = (request.socket as TLSSocket).getPeerCertificate();
    const { method, url, headers } = request;
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    seen.push({ method: method!, url: url!, headers, body, client: peer.subject?.CN as string | undefined });
    if (typeof testResponse === 'function') testResponse(response, request);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(testResponse));
  }
  server.on('secureConnection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  onTestFinished(stop);
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/review?a=b`);
  const access = (more?: Partial<ServerAccess>): ServerAccess => ({ url, ca: authority.cert, ...more });
  return { url, authority, seen, connections: () => connections, access, stop };
}

/** A response with this status and a body that must be ignored. */
export function failing(status: number, headers: Record<string, string> = {}): TestResponse {
  return (response) => response.writeHead(status, headers).end('{"secret":"body"}');
}

/**
 * An endless response. The pipeline ends it when the client disconnects. Writing from callbacks would never yield to
 * the event loop.
 */
export function endless(response: ServerResponse): void {
  pipeline(spaces(), response, () => {});
}

function* spaces(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024, 0x20);
}
