import { readFile } from 'node:fs/promises';
import type { Agent, IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import tls from 'node:tls';
import { pause } from './pause.ts';
import type { ServerAccess } from './server-access.ts';

/** Not imported, because an import evaluates all exports, one of which loads Node's whole fetch implementation. */
const http = process.getBuiltinModule('node:http');
const tries = 5;
const firstPauseMs = 500;
const pauseFactor = 1.5;
const pauseJitter = 0.2;
const maxRetryAfterMs = 10_000;
const tokenFileMs = 60_000;
const defaultTimeoutMs = 30_000;
const maxAnswerBytes = 1024 * 1024;
const maxSockets = 128;
/** Errors on a connection to a server that shuts down or is overloaded. */
const resetCodes = new Set(['ECONNRESET', 'EPIPE']);

const never = new AbortController().signal;

export interface JsonEndpointOptions {
  /** Timeout of one attempt, and of all attempts and delays together. */
  readonly timeoutMs?: number;
  readonly totalMs?: number;
  /** Delay after the first failure. Each further delay is 1.5 times as long. */
  readonly firstPauseMs?: number;
  readonly now?: () => number;
}

/** A call without a usable response. The message never contains what was sent. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** Of the response. Undefined when there was none. */
  readonly status: number | undefined;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
  /** Minimum delay before a retry, as requested by the server. */
  readonly retryAfterMs: number;

  constructor(message: string, options: CallErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

interface CallErrorOptions {
  readonly status?: number;
  readonly isTransient?: boolean;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * A server with a JSON API at one URL. Connections are kept alive. Like kube-apiserver, it retries after responses that
 * indicate overload and after broken connections, but not when the server is unreachable.
 */
export class JsonEndpoint {
  readonly #access: ServerAccess;
  readonly #options: JsonEndpointOptions;
  readonly #agent: Agent;
  #fileToken: { readonly value: string; readonly readAt: number } | undefined;

  constructor(access: ServerAccess, options: JsonEndpointOptions = {}) {
    this.#access = access;
    this.#options = options;
    const { ca, cert, key, tlsServerName, insecureSkipTlsVerify = false } = access;
    const kept = { keepAlive: true, maxSockets: maxSockets };
    this.#agent =
      access.url.protocol === 'http:'
        ? new http.Agent(kept)
        : new https.Agent({
            ...kept,
            ca,
            cert,
            key,
            rejectUnauthorized: !insecureSkipTlsVerify,
            ...serverNameOptions(tlsServerName),
          });
  }

  /** The URL without its query, for messages. */
  get address(): string {
    const { origin, pathname } = this.#access.url;
    return `${origin}${pathname}`;
  }

  /** Returns the parsed response. Rejects with the CallError of the last attempt. */
  async post(body: unknown): Promise<unknown> {
    const { timeoutMs = defaultTimeoutMs, totalMs = defaultTimeoutMs * 2 } = this.#options;
    const text = JSON.stringify(body);
    const deadline = performance.now() + totalMs;
    for (let failures = 0; ; ) {
      const left = deadline - performance.now();
      try {
        return await this.#try(text, Math.min(timeoutMs, left));
      } catch (error) {
        if (!(error instanceof CallError) || !error.isTransient || ++failures >= tries) throw error;
        const wait = Math.max(this.#pauseAfter(failures), error.retryAfterMs);
        if (performance.now() + wait >= deadline) throw error;
        await pause(wait, never);
      }
    }
  }

  /** Lets pending calls finish and closes idle connections. */
  close(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  #pauseAfter(failures: number): number {
    const first = this.#options.firstPauseMs ?? firstPauseMs;
    return first * pauseFactor ** (failures - 1) * (1 + Math.random() * pauseJitter);
  }

  async #try(text: string, timeoutMs: number): Promise<unknown> {
    // Aborted explicitly, because timers that only expire would accumulate under load.
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    let answer: Answer;
    try {
      answer = await this.#send(text, await this.#authorization(), controller.signal);
    } catch (error) {
      throw error instanceof CallError ? error : this.#unanswered(error, controller.signal);
    } finally {
      clearTimeout(timer);
    }
    return this.#read(answer);
  }

  #send(text: string, authorization: Authorization | undefined, signal: AbortSignal): Promise<Answer> {
    const { url } = this.#access;
    const request = url.protocol === 'http:' ? http.request : https.request;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'keelson',
      'content-length': Buffer.byteLength(text),
      ...authorization,
    };
    return new Promise((resolve, reject) => {
      const call = request(url, { method: 'POST', agent: this.#agent, headers, signal }, (response) => {
        collect(response).then(resolve, reject);
      });
      call.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection, which says nothing about its health.
        const isStale = call.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
        if (isStale) this.#send(text, authorization, signal).then(resolve, reject);
        else reject(error);
      });
      call.end(text);
    });
  }

  async #authorization(): Promise<Authorization | undefined> {
    const { token, tokenFile, basic } = this.#access;
    if (tokenFile !== undefined) return { authorization: `Bearer ${await this.#tokenOf(tokenFile)}` };
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    if (basic === undefined) return undefined;
    return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
  }

  async #tokenOf(path: string): Promise<string> {
    const now = (this.#options.now ?? Date.now)();
    if (this.#fileToken !== undefined && now - this.#fileToken.readAt < tokenFileMs) return this.#fileToken.value;
    try {
      this.#fileToken = { value: (await readFile(path, 'utf8')).trim(), readAt: now };
    } catch (cause) {
      // The file may be about to be replaced, so the old token stays in use.
      if (this.#fileToken === undefined) throw this.#error('unable to read the token file', { cause });
    }
    return this.#fileToken.value;
  }

  #read({ status, retryAfter, body }: Answer): unknown {
    if (status < 200 || status > 299) {
      const retryAfterMs = Math.min(Number(retryAfter) * 1000 || 0, maxRetryAfterMs);
      const isTransient = status >= 500 || status === 429;
      throw this.#error(`the server answered with status ${status}`, { status, isTransient, retryAfterMs });
    }
    if (body === undefined) throw this.#error('the answer is too large', { status });
    try {
      return JSON.parse(body.toString());
    } catch (cause) {
      if (cause instanceof SyntaxError) throw this.#error('the answer is not JSON', { status });
      throw cause;
    }
  }

  #unanswered(cause: unknown, signal: AbortSignal): CallError {
    if (signal.aborted) return this.#error('no answer in time', { cause });
    const { code = '', message } = cause as NodeJS.ErrnoException;
    return this.#error(message || code, { cause, isTransient: resetCodes.has(code) });
  }

  #error(problem: string, options: ConstructorParameters<typeof CallError>[1]): CallError {
    return new CallError(`Post "${this.address}": ${problem}`, options);
  }
}

/** TLS does not permit an IP address as the server name, so it is not sent, but the certificate must still match it. */
function serverNameOptions(name: string | undefined): https.AgentOptions {
  if (name === undefined) return {};
  const checkServerIdentity: typeof tls.checkServerIdentity = (_host, certificate) =>
    tls.checkServerIdentity(name, certificate);
  return isIP(name) === 0 ? { servername: name, checkServerIdentity } : { checkServerIdentity };
}

interface Authorization {
  readonly authorization: string;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Undefined when it is too large. */
  readonly body: Buffer | undefined;
}

async function collect(response: IncomingMessage): Promise<Answer> {
  const answer = { status: response.statusCode!, retryAfter: response.headers['retry-after'] };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the connection.
    if (size > maxAnswerBytes) return { ...answer, body: undefined };
    chunks.push(chunk);
  }
  return { ...answer, body: Buffer.concat(chunks) };
}
