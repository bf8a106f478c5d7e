import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { WatchEvent } from '../exactness/api-object.ts';
import { type Connection, type Endpoint, http1Connection, type Sent, textOf } from '../exactness/connection.ts';
import { createAuthority, issueServer } from '../wire/certificates.ts';

export interface Request extends Sent {
  readonly path: string;
}

export interface ProxiedResponse {
  readonly status: number;
  readonly text: string;
}

/** Changes that a proxy makes so that a correct server looks faulty. */
export interface Interference {
  respond?(request: Request, forward: (request: Request) => Promise<ProxiedResponse>): Promise<ProxiedResponse>;
  /** Returns the events to send instead of an event of a watch with these parameters. */
  events?(event: WatchEvent, query: URLSearchParams): readonly WatchEvent[];
}

/** Starts a proxy between clients and a server until the test ends. It has the permissions of the administrator. */
export async function startInterferingProxy(target: Endpoint, interference: Interference): Promise<Endpoint> {
  const authority = await createAuthority('proxy');
  const connection = http1Connection(target);
  const server = createSecureServer({ ...(await issueServer(authority, '127.0.0.1')), allowHTTP1: true });
  server.on('request', (request, response) => {
    pass(request, response, { connection, interference }).catch(() => response.stream?.destroy());
  });
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    connection.close();
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server: { url }, tls: { ...target.tls, ca: Buffer.from(authority.cert) } };
}

interface Between {
  readonly connection: Connection;
  readonly interference: Interference;
}

async function pass(
  received: Http2ServerRequest,
  response: Http2ServerResponse,
  { connection, interference }: Between,
): Promise<void> {
  const body = await text(received);
  const contentType = received.headers['content-type'];
  const request: Request = {
    method: received.method,
    path: received.url,
    ...(body !== '' && { body }),
    ...(contentType !== undefined && { contentType }),
  };
  const query = new URL(request.path, 'https://proxy').searchParams;
  if (query.has('watch')) return passEvents(request, response, { connection, interference });
  const forward = async ({ path, ...sent }: Request): Promise<ProxiedResponse> => {
    const forwarded = await connection.send(path, sent);
    return { status: forwarded.status, text: await textOf(forwarded) };
  };
  const proxied = await (interference.respond?.(request, forward) ?? forward(request));
  response.writeHead(proxied.status, { 'content-type': 'application/json' });
  response.end(proxied.text);
}

async function passEvents(
  { path, ...sent }: Request,
  response: Http2ServerResponse,
  { connection, interference }: Between,
): Promise<void> {
  const query = new URL(path, 'https://proxy').searchParams;
  const upstream = await connection.send(path, sent);
  response.on('close', () => upstream.cut());
  response.writeHead(upstream.status, { 'content-type': 'application/json' });
  let rest = '';
  for await (const chunk of upstream.body.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line) as WatchEvent;
      for (const one of interference.events?.(event, query) ?? [event]) response.write(`${JSON.stringify(one)}\n`);
    }
  }
  response.end();
}
