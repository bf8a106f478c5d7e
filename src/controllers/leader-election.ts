import { type Client, Informer } from '../client/index.ts';
import { type Clock, sleep, systemClock } from '../meta/clock.ts';
import { Lease, leases } from './lease.ts';

export interface LeaderElectionOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly report: (error: Error) => void;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Whether there are no other candidates. Then the lease is taken from any holder, and renewed rarely. */
  readonly isAlone?: boolean;
  readonly timings?: Partial<LeaseTimings>;
}

export interface LeaseTimings {
  readonly durationSeconds: number;
  /** A holder that has failed to renew for this long stops, before another candidate may start. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

const defaultTimings: LeaseTimings = { durationSeconds: 15, renewDeadlineMs: 10_000, retryMs: 2000 };

/**
 * Runs `work` whenever this process holds the lease. The signal of the work aborts when the lease is lost or `signal`
 * aborts; the work must settle soon then. Settles after the abort, when the lease is released.
 */
export async function whileLeading(
  options: LeaderElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { isAlone = false, clock = systemClock } = options;
  const timings = { ...defaultTimings, ...options.timings };
  const lease = new Lease({ ...options, isAlone, clock, durationSeconds: timings.durationSeconds });
  const candidate = new Candidate(lease, { ...options, isAlone, clock, timings });
  while (!signal.aborted) {
    if (!(await candidate.acquired(signal))) break;
    const term = new AbortController();
    const done = work(AbortSignal.any([term.signal, signal])).catch(options.report);
    await candidate.renewUntilLost(signal);
    term.abort();
    await done;
  }
  await lease.release().catch(options.report);
}

type CandidateOptions = LeaderElectionOptions & {
  readonly isAlone: boolean;
  readonly clock: Clock;
  readonly timings: LeaseTimings;
};

class Candidate {
  readonly #lease: Lease;
  readonly #options: CandidateOptions;

  constructor(lease: Lease, options: CandidateOptions) {
    this.#lease = lease;
    this.#options = options;
  }

  /** Waits for the lease. Returns false when the signal aborts first. */
  async acquired(signal: AbortSignal): Promise<boolean> {
    if (await this.#tryOnce()) return !signal.aborted;
    const end = new AbortController();
    const changes = this.#changes(AbortSignal.any([signal, end.signal]));
    try {
      while (!signal.aborted) {
        await changes.next();
        if (!signal.aborted && (await this.#tryOnce())) return true;
      }
      return false;
    } finally {
      end.abort();
    }
  }

  /** Renews until the lease is lost or the signal aborts. */
  async renewUntilLost(signal: AbortSignal): Promise<void> {
    const { isAlone, report, timings, clock } = this.#options;
    const every = isAlone ? timings.renewDeadlineMs : timings.retryMs;
    let renewed = clock.monotonic();
    let wait = every;
    for (;;) {
      const deadline = isAlone ? Infinity : renewed + timings.renewDeadlineMs;
      await sleep(clock, Math.max(Math.min(wait, deadline - clock.monotonic()), 0), signal);
      if (signal.aborted || clock.monotonic() >= deadline) return;
      // Other candidates count from the write, which is later.
      const begun = clock.monotonic();
      try {
        if (!(await this.#renewedBefore(deadline, signal))) return;
        renewed = begun;
        wait = every;
      } catch (error) {
        report(error as Error);
        wait = timings.retryMs;
      }
    }
  }

  /** An attempt that takes too long is abandoned, because another candidate may hold the lease when it ends. */
  async #renewedBefore(deadline: number, signal: AbortSignal): Promise<boolean> {
    if (deadline === Infinity) return this.#lease.acquire();
    const { clock } = this.#options;
    const ended = new AbortController();
    try {
      const left = Math.max(deadline - clock.monotonic(), 0);
      const late = sleep(clock, left, AbortSignal.any([signal, ended.signal])).then(() => false);
      return await Promise.race([this.#lease.acquire(), late]);
    } finally {
      ended.abort();
    }
  }

  async #tryOnce(): Promise<boolean> {
    try {
      return await this.#lease.acquire();
    } catch (error) {
      this.#options.report(error as Error);
      return false;
    }
  }

  /** Each `next()` resolves when the lease has changed, or after a delay because its holder may be dead. */
  #changes(signal: AbortSignal): { next(): Promise<void> } {
    const { client, namespace, name, report, timings, clock } = this.#options;
    const selectors = { fieldSelector: `metadata.name=${name}` };
    const informer = new Informer(client.resource(leases, namespace), { selectors, report }, signal);
    let hasChanged = false;
    let wake = (): void => {};
    const note = (): void => {
      hasChanged = true;
      wake();
    };
    informer.addHandler({ added: note, updated: note, deleted: note });
    signal.addEventListener('abort', note, { once: true });
    return {
      async next() {
        if (!hasChanged) {
          const wait = timings.retryMs * (1 + Math.random() / 5);
          await new Promise<void>((resolve) => {
            const cancel = clock.schedule(resolve, wait);
            wake = () => {
              cancel();
              resolve();
            };
          });
        }
        hasChanged = false;
      },
    };
  }
}
