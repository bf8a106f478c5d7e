import { type HealthCheck, healthEndpoints } from './health-check.ts';
import { withTimeout } from './with-timeout.ts';

export interface StorageCheckOptions {
  /** Asks whether storage takes writes, too; `probe` by default. */
  readonly probeWrites?: (signal: AbortSignal) => Promise<unknown>;
  /** How long one probe may take, in milliseconds. */
  readonly timeout?: number;
  /** How long the result of a probe is good for, in milliseconds. */
  readonly maxAge?: number;
  /** Milliseconds since some fixed moment. */
  readonly now?: () => number;
}

/**
 * The checks that storage answers, under the names that monitoring looks for whatever the storage is. `probe` really asks
 * it, and rejects when it does not answer well.
 */
export function storageChecks(
  probe: (signal: AbortSignal) => Promise<unknown>,
  options: StorageCheckOptions = {},
): HealthCheck[] {
  const { probeWrites } = options;
  const reads = new StorageProber(probe, options);
  const writes = probeWrites === undefined ? reads : new StorageProber(probeWrites, options);
  return [
    { name: 'etcd', group: 'etcd', endpoints: healthEndpoints, run: () => reads.check() },
    { name: 'etcd-readiness', endpoints: ['readyz'], run: () => writes.check() },
  ];
}

/**
 * Says in the listing of `/readyz` what storage holds and cannot read. It never fails: such objects stay until somebody mends
 * them, and everything else is served. `summary` is undefined, and the check not listed, when there are none.
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

/** Shares probes among all who ask, so that a storm of health requests does not become one on storage. */
class StorageProber {
  readonly #probe: (signal: AbortSignal) => Promise<unknown>;
  readonly #timeout: number;
  readonly #maxAge: number;
  readonly #now: () => number;
  #result: Promise<void> | undefined = undefined;
  #goodUntil = Number.POSITIVE_INFINITY;
  /** Probes that have neither answered nor failed, also after their time was over. */
  #unsettled = 0;

  constructor(probe: (signal: AbortSignal) => Promise<unknown>, options: StorageCheckOptions) {
    const { timeout = 2_000, maxAge = 500, now = () => performance.now() } = options;
    this.#probe = probe;
    this.#timeout = timeout;
    this.#maxAge = maxAge;
    this.#now = now;
  }

  check(): Promise<void> {
    // Where a probe hangs the next one would hang, too: its verdict stands until it comes back.
    if (this.#result === undefined || (this.#now() >= this.#goodUntil && this.#unsettled === 0)) this.#begin();
    return this.#result!;
  }

  #begin(): void {
    this.#goodUntil = Number.POSITIVE_INFINITY;
    const expired = (): Error => new Error('error getting data from etcd: context deadline exceeded');
    const run = (signal: AbortSignal): Promise<void> => this.#ask(signal);
    this.#result = withTimeout(run, { timeout: this.#timeout, expired }).finally(() => {
      this.#goodUntil = this.#now() + this.#maxAge;
    });
    // Those who asked hear of it; when all have gone away nobody is left to.
    this.#result.catch(() => {});
  }

  async #ask(signal: AbortSignal): Promise<void> {
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
