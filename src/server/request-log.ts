import type { Transmission } from '../http/exchange.ts';
import type { RequestObserver } from '../http/observation/request-observer.ts';
import type { RequestContext } from '../http/request-context.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { Logger } from '../meta/logger.ts';

export interface RequestLogOptions {
  readonly log: Logger;
  /** Requests that take longer are logged at the level info, in milliseconds. 0 for none. */
  readonly slowMs: number;
}

/** Logs all requests at the level debug, and slow ones at info with the durations of their stages. */
export class RequestLog implements RequestObserver {
  readonly #log: Logger;
  readonly #slowMs: number;
  /** The duration from which requests are logged at all. */
  readonly #loggedMs: number;

  constructor({ log, slowMs }: RequestLogOptions) {
    this.#log = log;
    this.#slowMs = slowMs === 0 ? Number.POSITIVE_INFINITY : slowMs;
    this.#loggedMs = log.debug === undefined ? this.#slowMs : Number.NEGATIVE_INFINITY;
  }

  passed(context: RequestContext, transmission: Transmission, ms: number): void {
    if (ms > this.#loggedMs) this.end(context, transmission, ms);
  }

  end(context: RequestContext, transmission: Transmission, ms: number): void {
    // Long-running requests are expected to take long.
    if (ms > this.#slowMs && !isLongRunning(context.info)) {
      this.#log.info('slow request', fieldsOf(context, transmission, ms));
    } else this.#log.debug?.('request', fieldsOf(context, transmission, ms));
  }
}

/** The query is omitted: it may contain a token. */
function fieldsOf(context: RequestContext, transmission: Transmission, ms: number): object {
  const { exchange, info, user, impersonator, stages, startedAt, waitedMs } = context;
  const durations = stages?.durations(startedAt, startedAt + ms);
  return {
    method: exchange.method,
    path: exchange.path,
    verb: info.verb,
    status: transmission.status,
    ms: rounded(ms),
    ...(durations && {
      stages: Object.fromEntries(Object.entries(durations).map(([name, each]) => [name, rounded(each)])),
    }),
    ...(waitedMs > 0 && { waitedMs: rounded(waitedMs) }),
    bytes: transmission.sentBytes,
    user: user?.name,
    ...(impersonator !== undefined && { impersonator: impersonator.name }),
    userAgent: exchange.header('user-agent'),
    source: exchange.connection.remoteAddress,
    auditId: exchange.header('audit-id'),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
