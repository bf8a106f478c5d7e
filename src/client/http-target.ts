import type { Agent } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import tls, { type ConnectionOptions } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Http2Response } from './http2-session.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { DeadlineError, http, openCall } from './open-call.ts';
import { readBody } from './read-body.ts';
import { withRootCertificates } from './root-certificates.ts';
import type { ServerAccess } from './server-access.ts';

const maxSockets = 128;
/** How long an unused connection is kept. */
const idleMs = 90_000;

export interface NetworkAddress {
  readonly host: string;
  readonly port: number;
}

interface HttpCall {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly maxResponseBytes: number;
  /** Covers everything from the connection to the end of the response. */
  readonly timeoutMs: number;
}

export interface HttpPost extends HttpCall {
  /** JSON. */
  readonly text: string;
  /** Replaces the path of the URL. */
  readonly path?: string;
  /** Replaces the query of the URL. With the question mark. */
  readonly query?: string;
}

export interface HttpGet extends HttpCall {
  /** Replaces the path and the query of the URL. */
  readonly path: string;
}

export interface HttpTargetOptions {
  /** Names the address of each new connection, if it differs from that in the URL. */
  readonly dial?: (() => MaybePromise<NetworkAddress>) | undefined;
  /** Abort it to end pending calls and refuse others. They reject with its reason. */
  readonly stop?: AbortSignal | undefined;
}

interface Sent extends HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly text?: string;
}

export type HttpResponse = Http2Response;

/**
 * A server that answers with documents of limited size. With TLS, the server chooses between HTTP/2, where all calls
 * share a connection, and HTTP/1.1. Connections are kept alive. Redirects are not followed.
 */
export class HttpTarget {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #stop: AbortSignal | undefined;
  /** Undefined without TLS. */
  readonly #sessions: Http2Sessions | undefined;
  /** An unused connection that speaks HTTP/1.1. */
  #spare: Socket | undefined;

  constructor(access: ServerAccess, { dial, stop }: HttpTargetOptions = {}) {
    const { url } = access;
    this.#url = url;
    this.#stop = stop;
    this.#agent = agentFor(access, dial);
    if (url.protocol === 'http:') return;
    this.#sessions = new Http2Sessions({
      url,
      tls: tlsOptionsOf(access),
      dial,
      speaksHttp1: () => this.#spare?.destroyed === false || hasSockets(this.#agent),
      onHttp1: (socket) => this.#keepSpare(socket),
    });
    this.#useSpare();
  }

  /** Rejects with a DeadlineError, the error of the socket or the reason to stop when there is no complete response. */
  post({
    text,
    path = this.#url.pathname,
    query = this.#url.search,
    headers,
    ...call
  }: HttpPost): Promise<HttpResponse> {
    const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers };
    return this.#request({ ...call, method: 'POST', path: `${path}${query}`, text, headers: all });
  }

  /** Rejects like `post`. */
  get(call: HttpGet): Promise<HttpResponse> {
    return this.#request({ ...call, method: 'GET' });
  }

  async #request(request: Sent): Promise<HttpResponse> {
    // Aborted explicitly, because timers that only expire would accumulate under load.
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new DeadlineError()), request.timeoutMs);
    const { signal } = controller;
    const stop = this.#stop;
    const end = (): void => controller.abort(stop?.reason);
    stop?.addEventListener('abort', end, { once: true });
    try {
      stop?.throwIfAborted();
      return await this.#send(request, signal);
    } catch (cause) {
      stop?.throwIfAborted();
      throw signal.aborted ? new DeadlineError({ cause }) : cause;
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', end);
    }
  }

  async #send(sent: Sent, signal: AbortSignal): Promise<HttpResponse> {
    const { method, path, headers, text: body, maxResponseBytes } = sent;
    const call = { method, authority: this.#url.host, path, headers, body, maxResponseBytes };
    return (await this.#sessions?.call(call, signal)) ?? this.#sendHttp1(sent, signal);
  }

  async #sendHttp1(
    { method, path, headers, text, maxResponseBytes }: Sent,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const request = { ...urlToHttpOptions(this.#url), method, path, agent: this.#agent, headers };
    const { head } = await openCall({ request, body: text, signal });
    const { bytes, isWhole } = await readBody(head, maxResponseBytes);
    return { status: head.statusCode!, headers: head.headers, body: isWhole ? bytes : undefined };
  }

  /** The first request over HTTP/1.1 uses the connection that was opened to ask for the protocol. */
  #useSpare(): void {
    const agent = this.#agent;
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, callback) => {
      const spare = this.#spare;
      this.#spare = undefined;
      if (spare === undefined || spare.destroyed) return connect(options, callback);
      return spare.setTimeout(0);
    };
  }

  #keepSpare(socket: Socket): void {
    this.#spare = socket;
    socket.on('error', () => {});
    socket.setTimeout(idleMs, () => socket.destroy());
  }

  /** Lets pending calls finish and closes idle connections. */
  close(): void {
    this.#sessions?.close();
    this.#spare?.destroy();
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }
}

/** Keeps connections to a server. `dial` names the address of each new one, if it differs from that in the URL. */
export function agentFor(access: ServerAccess, dial?: () => MaybePromise<NetworkAddress>): Agent {
  const agent = plainAgent(access);
  if (dial !== undefined) connectTo(agent, dial);
  return agent;
}

function plainAgent(access: ServerAccess): Agent {
  const kept = { keepAlive: true, maxSockets, timeout: idleMs };
  return access.url.protocol === 'http:' ? new http.Agent(kept) : new https.Agent({ ...kept, ...tlsOptionsOf(access) });
}

function tlsOptionsOf({
  ca,
  cert,
  key,
  tlsServerName,
  insecureSkipTlsVerify = false,
}: ServerAccess): ConnectionOptions {
  const rejectUnauthorized = !insecureSkipTlsVerify;
  return { ...withRootCertificates({ ca, cert, key, rejectUnauthorized }), ...serverNameOptions(tlsServerName) };
}

function hasSockets({ sockets, freeSockets, requests }: Agent): boolean {
  return [sockets, freeSockets, requests].some((kept) => Object.keys(kept).length > 0);
}

/** TLS does not permit an IP address as the server name, so it is not sent, but the certificate must still match it. */
function serverNameOptions(name: string | undefined): ConnectionOptions {
  if (name === undefined) return {};
  const checkServerIdentity: typeof tls.checkServerIdentity = (_host, certificate) =>
    tls.checkServerIdentity(name, certificate);
  return isIP(name) === 0 ? { servername: name, checkServerIdentity } : { checkServerIdentity };
}

/** The agent still files its connections under the host of the URL, and TLS still verifies that name. */
function connectTo(agent: Agent, dial: () => MaybePromise<NetworkAddress>): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const connected = (async () => connect({ ...options, ...(await dial()) }))();
    connected.then((socket) => callback?.(null, socket!), callback as (error: Error) => void);
    return undefined;
  };
}
