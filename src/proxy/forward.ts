import { randomBytes } from 'node:crypto';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { connectionFailure } from '../client/index.ts';
import { endOf } from '../http/end-of-exchange.ts';
import type { Exchange, ResponseHeaders, ResponseStream } from '../http/exchange.ts';
import { DecidedError, StatusError, serviceUnavailable, timeout } from '../meta/status-error.ts';
import { endToEndHeaders, forwardedHeaders } from './forwarded-headers.ts';
import { authority, type UpstreamServer } from './open-socket.ts';
import { passBody } from './pass-body.ts';
import { relay } from './relay.ts';
import { loadClient, type ServerConnections } from './server-connections.ts';
import { UpstreamCall, type UpstreamResponse } from './upstream-call.ts';

/** A request to a backend. */
export interface Upstream extends Pick<UpstreamServer, 'protocol' | 'host' | 'port'> {
  readonly connections: ServerConnections;
  /** With the query, percent-encoded. Sent unchanged. */
  readonly path: string;
  /** Sent in place of the client's headers of the same name. Undefined removes one. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** The maximum time until the head of the response arrives. Default: no limit. */
  readonly responseTimeoutMs?: number;
  /** Changes the response before it is forwarded. */
  readonly rewrite?: (response: UpstreamResponseHead) => UpstreamResponseHead;
}

export interface UpstreamResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Replaces the body of the backend's response. */
  readonly text?: string;
}

export interface ForwardOptions {
  /** Abort it to end the exchange on both sides, as the client does when it disconnects. */
  readonly stop?: AbortSignal | undefined;
  /** How long an upgraded connection may be idle. */
  readonly idleTimeoutMs: number;
}

/**
 * Passes a request to another server and its response back to the client, as they arrive, and upgrades both. Redirects
 * are forwarded, not followed. Resolves when everything is sent. Rejects with a StatusError while the client can still
 * get one; later failures end the connection of the client.
 */
export async function forward(exchange: Exchange, upstream: Upstream, options: ForwardOptions): Promise<void> {
  const response = await send(exchange, upstream, options.stop);
  const { headers, socket } = response;
  if (socket !== undefined) return passUpgrade(exchange, { headers, socket }, options);
  const received = { status: response.status, headers: endToEndHeaders(headers) };
  await passResponse(exchange, upstream.rewrite?.(received) ?? received, { response, stop: options.stop });
}

async function send(exchange: Exchange, upstream: Upstream, stop: AbortSignal | undefined): Promise<UpstreamResponse> {
  const loading = loadClient();
  const ClientOf = loading instanceof Promise ? await loading : loading;
  const source = exchange.bodyStream();
  const body = source && new PassThrough();
  const request = requestTo(exchange, upstream, body);
  let call: UpstreamCall | undefined;
  let reason: Error | undefined;
  const abandon = (error: Error): void => {
    reason = error;
    call?.abort(error);
  };
  const cancel = (): void => abandon(canceled);
  const timer = headTimer(upstream.responseTimeoutMs, abandon);
  if (source !== undefined) sendBody(source, body!, cancel);
  const { signal } = exchange;
  if (signal.aborted || stop?.aborted) cancel();
  signal.addEventListener('abort', cancel);
  stop?.addEventListener('abort', cancel);
  try {
    for (;;) {
      const connection = upstream.connections.take(ClientOf);
      const { isUsed } = connection;
      call = new UpstreamCall(connection, request);
      if (reason !== undefined) call.abort(reason);
      try {
        return await call.response;
      } catch (error) {
        const mayRepeat = isUsed && repeatable.has(exchange.method) && body === undefined && reason === undefined;
        if (!mayRepeat || !isClosed(error as Error)) throw error;
      }
    }
  } catch (error) {
    body?.destroy();
    throw error === headTimeout
      ? timeout('the server behind this one did not respond in time')
      : exchange.upgrade === undefined
        ? failed(error as Error)
        : failedUpgrade(error as Error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    stop?.removeEventListener('abort', cancel);
  }
}

/**
 * Methods without side effects. A request with another method may have had an effect before the connection was closed.
 */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

const headTimeout = new Error('no response in time');

/** The client has disconnected, or this server stops. */
const canceled = new Error('context canceled');

function headTimer(timeoutMs: number | undefined, expire: (error: Error) => void): NodeJS.Timeout | undefined {
  return timeoutMs === undefined ? undefined : setTimeout(() => expire(headTimeout), timeoutMs);
}

/**
 * When the client disconnects, the request is aborted. A backend that does not read the body does not abort the
 * request.
 */
function sendBody(source: Readable, body: PassThrough, cancel: () => void): void {
  source.pipe(body);
  source.once('error', cancel);
  source.once('close', () => {
    if (!source.readableEnded) cancel();
  });
  body.on('error', () => {});
  body.once('close', () => {
    source.unpipe(body);
    source.resume();
  });
}

function requestTo(
  exchange: Exchange,
  { protocol, host, port, path, headers }: Upstream,
  body: Readable | undefined,
): Dispatcher.DispatchOptions {
  const { method, upgrade } = exchange;
  const sent: Record<string, string | string[] | undefined> = Object.assign(forwardedHeaders(exchange), headers);
  sent.host ??= hostHeader(protocol, host, port);
  if (body === undefined) sent['content-length'] = undefined;
  const request = { method: method as Dispatcher.HttpMethod, path, headers: sent, body: body ?? null };
  if (upgrade === undefined) return request;
  // A WebSocket over HTTP/2 has no key.
  if (upgrade.protocol === 'websocket' && !upgrade.needsKey)
    sent['sec-websocket-key'] = randomBytes(16).toString('base64');
  return { ...request, upgrade: upgrade.protocol === 'websocket' ? 'websocket' : 'SPDY/3.1' };
}

/** Returns the value of the `host` header for a server. */
export function hostHeader(protocol: Upstream['protocol'], host: string, port: number): string {
  const isDefault = port === (protocol === 'https:' ? 443 : 80);
  return isDefault ? authority(host) : authority(host, port);
}

const unrequestedSwitch = 'it switched to another protocol without being asked';
const malformed = Object.assign(new Error('malformed response'), { code: 'HPE_INVALID' });
const malformedCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** Whether the server closed the connection, which says nothing about its health if it was idle. */
function isClosed({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || (code === 'UND_ERR_SOCKET' && message.includes('closed'));
}

function failed(error: NodeJS.ErrnoException): StatusError {
  return serviceUnavailable(`error trying to reach service: ${failureOf(error)}`);
}

/** For an upgrade kube-apiserver opens the connection by itself and does not classify the error. */
function failedUpgrade(error: NodeJS.ErrnoException): StatusError {
  const failure = failureOf(error);
  if (!/^(dial tcp|tls:) /.test(failure)) return failed(error);
  const original = new StatusError({ code: 500, reason: '', message: `error dialing backend: ${failure}` });
  return new DecidedError(failed(error), { decision: 'failedUpgradeIsUnavailable', original });
}

/** undici has its own errors in addition to those of sockets. */
function failureOf(error: NodeJS.ErrnoException): string {
  const { code = '', name, message } = error;
  if (code === 'UND_ERR_SOCKET') return message === 'bad upgrade' ? unrequestedSwitch : 'EOF';
  return connectionFailure(name === 'HTTPParserError' || malformedCodes.has(code) ? malformed : error);
}

async function passUpgrade(
  exchange: Exchange,
  { headers: received, socket }: Pick<UpstreamResponse, 'headers'> & { readonly socket: Duplex },
  { stop, idleTimeoutMs }: ForwardOptions,
): Promise<void> {
  const offer = exchange.upgrade;
  if (offer === undefined || exchange.responded) {
    socket.destroy();
    throw serviceUnavailable(`error trying to reach service: ${unrequestedSwitch}`);
  }
  const headers = endToEndHeaders(received);
  if (!offer.needsKey) delete headers['sec-websocket-accept'];
  let client: Duplex;
  try {
    client = offer.accept(headers);
  } catch (error) {
    // HTTP/2 has no such header, so the connection is closed.
    socket.destroy();
    throw failed(error as Error);
  }
  await relay(client, socket, { signal: endOf(exchange, stop), idleTimeoutMs });
}

function passResponse(
  exchange: Exchange,
  { status, headers, text }: UpstreamResponseHead,
  { response, stop }: { readonly response: UpstreamResponse; readonly stop: AbortSignal | undefined },
): Promise<void> | undefined {
  // The deadline has already responded.
  if (exchange.responded) {
    response.destroy();
    return undefined;
  }
  let stream: ResponseStream;
  try {
    if (text !== undefined) response.destroy();
    const whole = text ?? wholeBody(response, headers);
    if (whole !== undefined) {
      exchange.respond(status, headers, whole);
      return undefined;
    }
    stream = exchange.respondStream(status, headers);
  } catch (error) {
    // HTTP/2 has no such status or header, so the connection is closed.
    response.destroy();
    throw failed(error as Error);
  }
  return passBody(response.bodyStream(), stream, { exchange, signal: endOf(exchange, stop) });
}

/** Returns a body that is already complete. It is sent in one write, with its length. */
function wholeBody({ wholeBody }: UpstreamResponse, headers: ResponseHeaders): Buffer | undefined {
  return wholeBody !== undefined && Number(headers['content-length']) === wholeBody.length ? wholeBody : undefined;
}
