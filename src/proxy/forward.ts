import { randomBytes } from 'node:crypto';
import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { connectionFailure } from '../client/index.ts';
import type { Exchange, ResponseHeaders, ResponseStream } from '../http/exchange.ts';
import { serviceUnavailable, timeout } from '../meta/status-error.ts';
import { forwardedHeaders, receivedHeaders } from './forwarded-headers.ts';
import { passBody } from './pass-body.ts';
import { relay } from './relay.ts';

/** Not imported, because an import evaluates all exports, one of which loads Node's whole fetch implementation. */
const http = process.getBuiltinModule('node:http');

/** The server behind this one that a request goes to. */
export interface Upstream {
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
  readonly agent: Agent;
  /** With the query, percent-encoded. It is sent as it is. */
  readonly path: string;
  /** Sent in place of the client's headers of the same name. Undefined removes one. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** For HTTPS, unless the agent has them. A `servername` that is not given is the host, not the header `host`. */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
  /** How long a connection may take. Default: as long as the system allows. */
  readonly connectTimeoutMs?: number;
  /** How long the head of the response may take. Default: any time. */
  readonly responseTimeoutMs?: number;
  /** Changes the response before it is passed on. */
  readonly rewrite?: (response: UpstreamResponse) => UpstreamResponse;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Readable;
}

export interface ForwardOptions {
  /** Its abort ends the exchange on both sides. */
  readonly signal: AbortSignal;
  /** How long an upgraded connection may be silent. */
  readonly idleTimeoutMs: number;
}

/**
 * Passes a request to another server and its response back to the client, as they arrive, and upgrades both. Redirects
 * are passed on, not followed. Resolves when everything is sent. Rejects with a StatusError while the client can still
 * get one; later failures end the connection of the client.
 */
export async function forward(exchange: Exchange, upstream: Upstream, options: ForwardOptions): Promise<void> {
  const answer = await send(exchange, upstream, options.signal);
  if ('head' in answer) return passUpgrade(exchange, answer, options);
  const received = { status: answer.statusCode!, headers: receivedHeaders(answer.rawHeaders), body: answer };
  await passResponse(exchange, upstream.rewrite?.(received) ?? received, options.signal);
}

interface Upgraded {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function send(exchange: Exchange, upstream: Upstream, signal: AbortSignal): Promise<IncomingMessage | Upgraded> {
  const body = exchange.bodyStream();
  return new Promise((resolve, reject) => {
    const attempt = (): void => {
      const call = requestTo(exchange, upstream, { hasBody: body !== undefined });
      const abort = (): void => void call.destroy(canceled);
      // The option `signal` of Node.js does the same with far more listeners.
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
      const timer = headTimer(call, upstream.responseTimeoutMs);
      limitConnecting(call, upstream);
      const stop = (): void => clearTimeout(timer);
      call.on('close', () => {
        stop();
        signal.removeEventListener('abort', abort);
      });
      call.on('response', (response: IncomingMessage) => {
        stop();
        resolve(response);
      });
      call.on('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
        stop();
        resolve({ response, socket, head });
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection, which says nothing about its health.
        const mayRepeat = repeatable.has(exchange.method) && body === undefined && !signal.aborted;
        if (call.reusedSocket && error.code === 'ECONNRESET' && mayRepeat) attempt();
        else
          reject(error === headTimeout ? timeout('the server behind this one did not respond in time') : failed(error));
      });
      if (body === undefined) call.end();
      else sendBody(body, call);
    };
    attempt();
  });
}

/** Methods that change nothing. Another request may have had an effect before the connection was closed. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

const headTimeout = new Error('no response in time');

/** The client has disconnected, or this server stops. */
const canceled = new Error('context canceled');

function headTimer(call: ClientRequest, timeoutMs: number | undefined): NodeJS.Timeout | undefined {
  return timeoutMs === undefined ? undefined : setTimeout(() => call.destroy(headTimeout), timeoutMs);
}

function limitConnecting(call: ClientRequest, { host, port, connectTimeoutMs }: Upstream): void {
  if (connectTimeoutMs === undefined) return;
  call.on('socket', (socket: Socket) => {
    if (!socket.connecting) return;
    const expired = (): void => void call.destroy(new Error(`dial tcp ${authority(host, port)}: i/o timeout`));
    const timer = setTimeout(expired, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    // A TLS socket that is connected still has to shake hands.
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}

/** A client that disconnects takes the request with it. A server that does not read does not. */
function sendBody(body: Readable, call: ClientRequest): void {
  body.pipe(call);
  body.once('error', (error) => call.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) call.destroy();
  });
  call.once('close', () => {
    body.unpipe(call);
    body.resume();
  });
}

function requestTo(
  exchange: Exchange,
  { protocol, host, port, path, agent, tls, headers = {} }: Upstream,
  { hasBody }: { readonly hasBody: boolean },
): ClientRequest {
  const sent: OutgoingHttpHeaders = { ...forwardedHeaders(exchange), ...headers };
  for (const name in headers) if (headers[name] === undefined) delete sent[name];
  sent.host ??= hostHeader(protocol, host, port);
  if (!hasBody) delete sent['content-length'];
  else if (sent['content-length'] === undefined) sent['transfer-encoding'] = 'chunked';
  if (exchange.upgrade !== undefined) addUpgrade(sent, exchange);
  const options: RequestOptions = { method: exchange.method, host, port, path, agent, headers: sent };
  if (protocol === 'http:') return http.request(options);
  // Node.js would take the name to verify from the header `host`, which may be that of the client.
  const servername = isIP(host) === 0 ? host : '';
  return https.request({ ...options, servername, ...tls });
}

/** The value of the header `host` that names a server. */
export function hostHeader(protocol: Upstream['protocol'], host: string, port: number): string {
  const isDefault = port === (protocol === 'https:' ? 443 : 80);
  return isDefault ? authority(host) : authority(host, port);
}

function authority(host: string, port?: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

function addUpgrade(headers: OutgoingHttpHeaders, { upgrade }: Exchange): void {
  headers.connection = 'Upgrade';
  headers.upgrade = upgrade!.protocol === 'websocket' ? 'websocket' : 'SPDY/3.1';
  if (upgrade!.needsKey || upgrade!.protocol !== 'websocket') return;
  // A WebSocket over HTTP/2 has none.
  headers['sec-websocket-key'] = randomBytes(16).toString('base64');
}

function failed(error: Error): Error {
  return serviceUnavailable(`error trying to reach service: ${connectionFailure(error)}`);
}

async function passUpgrade(
  exchange: Exchange,
  { response, socket, head }: Upgraded,
  { signal, idleTimeoutMs }: ForwardOptions,
): Promise<void> {
  const offer = exchange.upgrade;
  if (offer === undefined || exchange.responded) {
    socket.destroy();
    throw serviceUnavailable('error trying to reach service: it switched to another protocol without being asked');
  }
  const headers = receivedHeaders(response.rawHeaders);
  if (!offer.needsKey) delete headers['sec-websocket-accept'];
  if (head.length > 0) socket.unshift(head);
  let client: Duplex;
  try {
    client = offer.accept(headers);
  } catch (error) {
    // HTTP/2 has no such header.
    socket.destroy();
    throw failed(error as Error);
  }
  await relay(client, socket, { signal, idleTimeoutMs });
}

function passResponse(
  exchange: Exchange,
  { status, headers, body }: UpstreamResponse,
  signal: AbortSignal,
): Promise<void> {
  // The deadline has responded.
  if (exchange.responded) {
    body.destroy();
    return Promise.resolve();
  }
  let stream: ResponseStream;
  try {
    const whole = wholeBody(body, headers);
    if (whole !== undefined) {
      exchange.respond(status, headers, whole);
      return Promise.resolve();
    }
    stream = exchange.respondStream(status, headers);
  } catch (error) {
    // HTTP/2 has no such status or header.
    body.destroy();
    throw failed(error as Error);
  }
  return passBody(body, stream, { exchange, signal });
}

/** A body that has arrived with its head, as most small ones do. It is sent in one write. */
function wholeBody(body: Readable, headers: ResponseHeaders): Buffer | undefined {
  const length = Number(headers['content-length']);
  if (!(length > 0) || body.readableLength !== length) return undefined;
  const whole = body.read() as Buffer;
  // Its end is still to be read, so that the connection can be used again.
  body.resume();
  return whole;
}
