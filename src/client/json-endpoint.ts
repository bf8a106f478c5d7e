import { encodeJson } from '../codec/json/index.ts';
import type { Meter } from '../meta/meter.ts';
import { Authorization } from './authorization.ts';
import { type HttpResponse, HttpTarget } from './http-target.ts';
import { type MeteredCall, meteredCalls } from './metered-calls.ts';
import { pause } from './pause.ts';
import type { ServerAccess } from './server-access.ts';

const tries = 5;
const firstPauseMs = 500;
const pauseFactor = 1.5;
const pauseJitter = 0.2;
const maxRetryAfterMs = 10_000;
const defaultTimeoutMs = 30_000;
const maxResponseBytes = 1024 * 1024;
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
  /** Abort it to end pending calls and refuse others. They reject with its reason. */
  readonly stop?: AbortSignal | undefined;
  /** Counts the calls. */
  readonly meter?: Meter | undefined;
  /** Called after each attempt, with the status code or `<error>`. */
  readonly onAttempt?: (code: string, ms: number) => void;
}

/** A call without a usable response. The message never contains what was sent. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The status code of the response. Undefined when there was none. */
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
  readonly #target: HttpTarget;
  readonly #authorization: Authorization;
  readonly #metered: MeteredCall;

  constructor(access: ServerAccess, options: JsonEndpointOptions = {}) {
    this.#access = access;
    this.#options = options;
    this.#target = new HttpTarget(access, options);
    this.#authorization = new Authorization(access, options.now);
    this.#metered = meteredCalls(access.url.host, options);
  }

  /** The URL without its query, for messages. */
  get address(): string {
    const { origin, pathname } = this.#access.url;
    return `${origin}${pathname}`;
  }

  /** Returns the parsed response. Rejects with the CallError of the last attempt, or with the reason to stop. */
  async post(body: unknown): Promise<unknown> {
    const { timeoutMs = defaultTimeoutMs, totalMs = defaultTimeoutMs * 2, stop = never } = this.#options;
    const text = encodeJson(body);
    const deadline = performance.now() + totalMs;
    for (let failures = 0; ; ) {
      const left = deadline - performance.now();
      try {
        return await this.#try(text, Math.min(timeoutMs, left));
      } catch (error) {
        if (!(error instanceof CallError) || !error.isTransient || ++failures >= tries) throw error;
        const wait = Math.max(this.#pauseAfter(failures), error.retryAfterMs);
        if (performance.now() + wait >= deadline) throw error;
        await pause(wait, stop);
      }
    }
  }

  /** Lets pending calls finish and closes idle connections. */
  close(): void {
    this.#target.close();
  }

  #pauseAfter(failures: number): number {
    const first = this.#options.firstPauseMs ?? firstPauseMs;
    return first * pauseFactor ** (failures - 1) * (1 + Math.random() * pauseJitter);
  }

  async #try(text: string, timeoutMs: number): Promise<unknown> {
    const headers = await this.#headers();
    let response: HttpResponse;
    try {
      response = await this.#metered('POST', () => this.#target.post({ text, headers, maxResponseBytes, timeoutMs }));
    } catch (error) {
      this.#options.stop?.throwIfAborted();
      throw this.#noResponse(error as NodeJS.ErrnoException);
    }
    return this.#read(response);
  }

  async #headers(): Promise<Readonly<Record<string, string>>> {
    try {
      return { accept: 'application/json', 'user-agent': 'keelson', ...(await this.#authorization.header()) };
    } catch (cause) {
      throw this.#error((cause as Error).message, { cause });
    }
  }

  #read({ status, headers, body }: HttpResponse): unknown {
    if (status < 200 || status > 299) {
      const retryAfterMs = Math.min(Number(headers['retry-after']) * 1000 || 0, maxRetryAfterMs);
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

  #noResponse(cause: NodeJS.ErrnoException): CallError {
    const { code = '', message } = cause;
    return this.#error(message || code, { cause, isTransient: resetCodes.has(code) });
  }

  #error(problem: string, options: ConstructorParameters<typeof CallError>[1]): CallError {
    return new CallError(`Post "${this.address}": ${problem}`, options);
  }
}
