import type { Transmission } from '../http/exchange.ts';
import type { RequestObserver } from '../http/observation/request-observer.ts';
import type { RequestContext } from '../http/request-context.ts';

/** A request that has ended. */
export interface PastRequest {
  readonly number: number;
  readonly method: string;
  /** The path without the query, which may contain a token. */
  readonly path: string;
  readonly verb: string;
  readonly status: number;
  readonly ms: number;
  readonly user: string;
  readonly userAgent: string;
}

const maxKept = 500;

/** The last requests of a server. */
export class RequestHistory implements RequestObserver {
  readonly #requests: PastRequest[] = [];
  #count = 0;

  passed(context: RequestContext, transmission: Transmission, ms: number): void {
    this.end(context, transmission, ms);
  }

  end({ exchange, info, user }: RequestContext, { status }: Transmission, ms: number): void {
    const number = ++this.#count;
    const userAgent = exchange.header('user-agent') ?? '';
    const { method, path } = exchange;
    this.#requests.push({ number, method, path, verb: info.verb, status, ms, user: user?.name ?? '', userAgent });
    if (this.#requests.length > 2 * maxKept) this.#requests.splice(0, maxKept);
  }

  /** How many requests have ended. */
  get count(): number {
    return this.#count;
  }

  /** The last requests after the given number, oldest first. */
  after(number: number): PastRequest[] {
    return this.#requests.filter((request) => request.number > number).slice(-maxKept);
  }
}
