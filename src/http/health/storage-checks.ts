import { type HealthCheck, healthEndpoints } from './health-check.ts';
import { withTimeout } from './with-timeout.ts';

export interface StorageCheckOptions {
  /** Probes whether storage accepts writes. `probe` by default. */
  readonly probeWrites?: (signal: AbortSignal) => Promise<unknown>;
  /** The time limit of a probe in milliseconds. */
  readonly timeout?: number;
  /** The time limit of a probe of writes. `timeout` by default. */
  readonly writesTimeout?: number;
  /** How long the result of a probe is reused, in milliseconds. */
  readonly maxAge?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * The storage checks, under the names that monitoring expects for any storage backend. `probe` accesses storage and
 * rejects when that fails.
 */
export function storageChecks(
  probe: (signal: AbortSignal) => Promise<unknown>,
  options: StorageCheckOptions = {},
): HealthCheck[] {
  const { probeWrites, writesTimeout = options.timeout } = options;
  const reads = new StorageProber(probe, options);
  const writes =
    probeWrites === undefined ? reads : new StorageProber(probeWrites, { ...options, timeout: writesTimeout });
  return [
    { name: 'etcd', group: 'etcd', endpoints: healthEndpoints, run: () => reads.check() },
    { name: 'etcd-readiness', endpoints: ['readyz'], run: () => writes.check() },
  ];
}

/**
 * Reports in the listing of `/readyz` the stored objects that cannot be read. It never fails: such objects stay until
 * an administrator repairs or deletes them, and everything else is served. `summary` is undefined, and the check not
 * listed, when there are none.
 */
export function storedObjectsCheck(summary: () => string | undefined): HealthCheck {
  return {
    name: 'stored-objects',
    endpoints: ['readyz'],
    run: () => {},
    isListed: () => summary() !== undefined,
    note: summary,
  };
}

/** Shares probes among concurrent requests, so that many health requests cause few probes. */
class StorageProber {
  readonly #probe: (signal: AbortSignal) => Promise<unknown>;
  readonly #timeout: number;
  readonly #maxAge: number;
  readonly #now: () => number;
  #result: Promise<void> | undefined = undefined;
  #goodUntil = Number.POSITIVE_INFINITY;
  /** The number of probes that have not settled, including those that timed out. */
  #unsettled = 0;

  constructor(probe: (signal: AbortSignal) => Promise<unknown>, options: StorageCheckOptions) {
    const { timeout = 2_000, maxAge = 500, now = () => performance.now() } = options;
    this.#probe = probe;
    this.#timeout = timeout;
    this.#maxAge = maxAge;
    this.#now = now;
  }

  check(): Promise<void> {
    // While a probe hangs, another one would hang too. The last result is used until it settles.
    if (this.#result === undefined || (this.#now() >= this.#goodUntil && this.#unsettled === 0)) this.#begin();
    return this.#result!;
  }

  #begin(): void {
    this.#goodUntil = Number.POSITIVE_INFINITY;
    const expired = (): Error => new Error('error getting data from etcd: context deadline exceeded');
    const run = (signal: AbortSignal): Promise<void> => this.#check(signal);
    this.#result = withTimeout(run, { timeout: this.#timeout, expired }).finally(() => {
      this.#goodUntil = this.#now() + this.#maxAge;
    });
    // The callers handle the rejection. Without any, it would be uncaught.
    this.#result.catch(() => {});
  }

  async #check(signal: AbortSignal): Promise<void> {
    this.#unsettled++;
    try {
      await this.#probe(signal);
    } catch (error) {
      throw new Error(`error getting data from etcd: ${(error as Error).message}`, { cause: error });
    } finally {
      this.#unsettled--;
    }
  }
}
