import type { Clock } from '../meta/clock.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Turns of the event loop that work started by a timer may need. */
const turns = 2;

/**
 * A clock that stands still until a test advances it. Several servers may share one. Pass it to a server as the option
 * `clock`.
 */
export class ManualClock implements Clock {
  readonly #start: number;
  #now: number;
  #made = 0;
  readonly #timers = new Set<Timer>();
  readonly #settled = new Set<() => Promise<void>>();

  /** Default: the beginning of 2026. */
  constructor(start: Date | string | number = '2026-01-01T00:00:00Z') {
    this.#start = new Date(start).getTime();
    if (Number.isNaN(this.#start)) throw new RangeError(`not a time: ${start}`);
    this.#now = this.#start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  schedule(callback: () => void, delayMs: number): () => void {
    const timer = { due: this.#now + Math.max(delayMs, 0), order: this.#made++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** The number of timers that wait for the clock. */
  get waiting(): number {
    return this.#timers.size;
  }

  /**
   * Advances the time and runs due timers in order. After each timer it waits until the servers that use the clock have
   * no running requests and no controller work. A controller under test may still be working when it resolves.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError('time cannot go backwards');
    const end = this.#now + ms;
    await this.#settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
      await this.#settle();
    }
    this.#now = end;
    await this.#settle();
  }

  /** Adds something that `advance` waits for. The returned function removes it. */
  awaits(settled: () => Promise<void>): () => void {
    this.#settled.add(settled);
    return () => void this.#settled.delete(settled);
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due > end) continue;
      if (first === undefined || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const settled of this.#settled) await settled();
  }
}
