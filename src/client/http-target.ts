import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import tls from 'node:tls';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { withRootCertificates } from './root-certificates.ts';
import type { ServerAccess } from './server-access.ts';

/** Not imported, because an import evaluates all exports, one of which loads Node's whole fetch implementation. */
export const http = process.getBuiltinModule('node:http');
const maxSockets = 128;

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
  /** Replaces the query of the URL. With the question mark. */
  readonly query?: string;
}

export interface HttpGet extends HttpCall {
  /** Replaces the path and the query of the URL. */
  readonly path: string;
}

interface Sent extends HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly text?: string;
}

/** There was no complete response in time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined when it is too large. */
  readonly body: Buffer | undefined;
}

/** A server that answers with documents of limited size. Connections are kept alive. Redirects are not followed. */
export class HttpTarget {
  readonly #url: URL;
  readonly #agent: Agent;

  constructor(access: ServerAccess, dial?: () => MaybePromise<NetworkAddress>) {
    this.#url = access.url;
    this.#agent = agentFor(access, dial);
  }

  /** Rejects with a DeadlineError or the error of the socket when there is no complete response. */
  post({ text, query = this.#url.search, headers, ...call }: HttpPost): Promise<HttpResponse> {
    const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...headers };
    return this.#request({ ...call, method: 'POST', path: `${this.#url.pathname}${query}`, text, headers: all });
  }

  /** Rejects like `post`. */
  get(call: HttpGet): Promise<HttpResponse> {
    return this.#request({ ...call, method: 'GET' });
  }

  async #request(request: Sent): Promise<HttpResponse> {
    // Aborted explicitly, because timers that only expire would accumulate under load.
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), request.timeoutMs);
    try {
      return await this.#send(request, controller.signal);
    } catch (cause) {
      if (controller.signal.aborted) throw new DeadlineError('no answer in time', { cause });
      throw cause;
    } finally {
      clearTimeout(timer);
    }
  }

  #send(request: Sent, signal: AbortSignal): Promise<HttpResponse> {
    const { method, path, headers, text, maxResponseBytes } = request;
    const open = this.#url.protocol === 'http:' ? http.request : https.request;
    return new Promise((resolve, reject) => {
      const call = open(this.#url, { method, path, agent: this.#agent, headers, signal }, (response) => {
        collect(response, maxResponseBytes).then(resolve, reject);
      });
      call.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection, which says nothing about its health.
        const isStale = call.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
        if (isStale) this.#send(request, signal).then(resolve, reject);
        else reject(error);
      });
      call.end(text);
    });
  }

  /** Lets pending calls finish and closes idle connections. */
  close(): void {
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

function plainAgent({ url, ca, cert, key, tlsServerName, insecureSkipTlsVerify = false }: ServerAccess): Agent {
  const kept = { keepAlive: true, maxSockets };
  if (url.protocol === 'http:') return new http.Agent(kept);
  const rejectUnauthorized = !insecureSkipTlsVerify;
  const options = withRootCertificates({ ca, cert, key, rejectUnauthorized });
  return new https.Agent({ ...kept, ...options, ...serverNameOptions(tlsServerName) });
}

/** TLS does not permit an IP address as the server name, so it is not sent, but the certificate must still match it. */
function serverNameOptions(name: string | undefined): https.AgentOptions {
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

async function collect(response: IncomingMessage, maxBytes: number): Promise<HttpResponse> {
  const head = { status: response.statusCode!, headers: response.headers };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the connection.
    if (size > maxBytes) return { ...head, body: undefined };
    chunks.push(chunk);
  }
  return { ...head, body: Buffer.concat(chunks) };
}
