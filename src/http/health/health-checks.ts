import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { Exchange } from '../exchange.ts';
import { respondText, textHeaders } from '../render.ts';
import { type HealthCheck, type HealthEndpoint, healthEndpoints } from './health-check.ts';
import { type CheckOutcome, reportOf } from './health-report.ts';

export interface HealthChecksOptions {
  /** Receives the reasons of failures, which clients do not see. */
  readonly log: (message: string) => void;
  /** Whether the last line of a healthy listing is that of `/healthz` on all endpoints. True by default. */
  readonly endsWithHealthz?: boolean;
  /** How long after the start `/livez` ignores failures of boot sequence checks, in milliseconds. */
  readonly livezGracePeriod?: number;
  /** Receives the outcome of every check of a listing. */
  readonly onOutcome?: (outcome: CheckOutcome, endpoint: HealthEndpoint) => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** The checks of one server and the endpoints that show them. */
export class HealthChecks {
  readonly #checks: HealthCheck[] = [];
  readonly #log: (message: string) => void;
  readonly #endsWithHealthz: boolean;
  readonly #now: () => number;
  readonly #graceEnds: number;
  readonly #onOutcome: HealthChecksOptions['onOutcome'];

  constructor({
    log,
    endsWithHealthz = true,
    livezGracePeriod = 0,
    onOutcome,
    now = () => performance.now(),
  }: HealthChecksOptions) {
    this.#log = log;
    this.#endsWithHealthz = endsWithHealthz;
    this.#onOutcome = onOutcome;
    this.#now = now;
    this.#graceEnds = now() + livezGracePeriod;
  }

  /** Adds checks. Listings keep the order. Throws when a name is taken. */
  add(...checks: readonly HealthCheck[]): void {
    for (const check of checks) {
      if (this.#checks.some(({ name }) => name === check.name)) {
        throw new Error(`health check ${check.name} exists already`);
      }
      this.#checks.push(check);
    }
  }

  /**
   * Responds, at once or when the checks have finished. Then the promise resolves. Returns false for any other path.
   */
  handle(exchange: Exchange, path: string): MaybePromise<void> | false {
    const endpoint = endpointOf(path);
    if (endpoint === undefined) return false;
    const slash = path.indexOf('/', 1);
    if (slash === -1) return this.#respondAll(exchange, endpoint);
    return this.#respondOne(exchange, this.#find(endpoint, path.slice(slash + 1)), endpoint);
  }

  /** All served paths, for the list at `/`. */
  paths(): string[] {
    return healthEndpoints.flatMap((endpoint) => [
      `/${endpoint}`,
      ...this.#listed(endpoint).map(({ name }) => `/${endpoint}/${name}`),
    ]);
  }

  #respondAll(exchange: Exchange, endpoint: HealthEndpoint): MaybePromise<void> {
    const query = new URLSearchParams(exchange.query);
    const excludes = new Set(query.getAll('exclude'));
    const unused = new Set(excludes);
    const outcomes = this.#listed(endpoint).map((check) => {
      const excludedBy = [check.name, check.group].find((name) => name !== undefined && excludes.has(name));
      if (excludedBy === undefined) return this.#run(check, { endpoint, signal: exchange.signal });
      unused.delete(excludedBy);
      return { check, excludedBy };
    });
    const respond = (all: readonly CheckOutcome[]): void => {
      for (const outcome of all) if (outcome.excludedBy === undefined) this.#onOutcome?.(outcome, endpoint);
      const unknownExcludes = [...unused].sort();
      const { healthy, text, failures } = reportOf({
        endpoint,
        outcomes: all,
        unknownExcludes,
        passed: this.#endsWithHealthz ? 'healthz' : endpoint,
      });
      if (!healthy) this.#log(`${endpoint} check failed: ${failures.join('; ')}`);
      // The deadline may have responded meanwhile.
      if (exchange.responded) return;
      respondText(exchange, healthy ? 200 : 500, healthy && !query.has('verbose') ? 'ok' : text);
    };
    if (outcomes.some((outcome) => outcome instanceof Promise)) return Promise.all(outcomes).then(respond);
    return respond(outcomes as CheckOutcome[]);
  }

  #respondOne(exchange: Exchange, check: HealthCheck | undefined, endpoint: HealthEndpoint): MaybePromise<void> {
    if (check === undefined) return respondText(exchange, 404, '404 page not found\n');
    const respond = ({ failure }: CheckOutcome): void => {
      if (exchange.responded) return;
      if (failure !== undefined) {
        respondText(exchange, 500, `internal server error: ${failure}\n`);
        return;
      }
      // As in kube-apiserver, only this response lacks `x-content-type-options`.
      const { 'x-content-type-options': _, ...headers } = textHeaders(exchange);
      exchange.respond(200, headers, 'ok');
    };
    return mapMaybe(this.#run(check, { endpoint, signal: exchange.signal }), respond);
  }

  #of(endpoint: HealthEndpoint): HealthCheck[] {
    return this.#checks.filter(({ endpoints }) => endpoints.includes(endpoint));
  }

  #listed(endpoint: HealthEndpoint): HealthCheck[] {
    return this.#of(endpoint).filter(({ isListed }) => isListed?.() ?? true);
  }

  #find(endpoint: HealthEndpoint, name: string): HealthCheck | undefined {
    return this.#of(endpoint).find((check) => check.name === name);
  }

  #run(check: HealthCheck, request: { endpoint: HealthEndpoint; signal: AbortSignal }): MaybePromise<CheckOutcome> {
    const isInGracePeriod =
      request.endpoint === 'livez' && check.bootSequence === true && this.#now() < this.#graceEnds;
    if (isInGracePeriod) return { check };
    const failed = (error: unknown): CheckOutcome => ({ check, failure: reasonOf(error) });
    try {
      const running = check.run(request.signal);
      return running instanceof Promise ? running.then(() => ({ check }), failed) : { check };
    } catch (error) {
      return failed(error);
    }
  }
}

/** True for the three endpoints and everything below them. */
export function isHealthPath(path: string): boolean {
  return endpointOf(path) !== undefined;
}

function endpointOf(path: string): HealthEndpoint | undefined {
  const slash = path.indexOf('/', 1);
  const root = path.slice(0, slash === -1 ? path.length : slash);
  return healthEndpoints.find((name) => root === `/${name}`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
