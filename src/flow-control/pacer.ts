import type { PriorityLevel } from './levels/priority-level.ts';

/** How long requests may run within one turn of the event loop before the others wait, in milliseconds. */
const turnMs = 8;
/**
 * A new turn is scheduled after this much work: most turns have less, and scheduling costs as much as a small request.
 */
const noticeMs = 1;
/** How fast earlier work is forgotten, from turn to turn. */
const memory = 0.9;

export interface PacerOptions {
  readonly levels: () => Iterable<PriorityLevel>;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn?: (callback: () => void) => void;
}

/**
 * Shares the turns of the event loop. Requests that are answered from memory never hold a seat while others arrive, so
 * seats alone would not prevent a user with thousands of them from delaying all others. When a turn has used its share
 * of work, requests wait in their queues instead, and start in later turns in fair order.
 */
export class Pacer {
  readonly #options: Required<PacerOptions>;
  #spentMs = 0;
  #isTurnAsked = false;
  #isResuming = false;

  constructor({ levels, nextTurn = setImmediate }: PacerOptions) {
    this.#options = { levels, nextTurn };
  }

  /** Whether arriving requests have to wait for another turn. */
  readonly isPaused = (): boolean => this.#spentMs >= turnMs || this.#isResuming;

  /** Work of a level has taken this long without leaving the event loop. */
  spend(level: PriorityLevel, milliseconds: number): void {
    level.attainedMs += milliseconds;
    this.#spentMs += milliseconds;
    if (this.#spentMs < noticeMs || this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    this.#options.nextTurn(this.#resume);
  }

  readonly #resume = (): void => {
    this.#isTurnAsked = false;
    this.#spentMs = 0;
    this.#isResuming = true;
    try {
      const levels = [...this.#options.levels()];
      for (const level of levels) level.attainedMs *= memory;
      this.#start(levels);
    } finally {
      this.#isResuming = false;
    }
  };

  /** The level with the least work per seat starts the next request. */
  #start(levels: readonly PriorityLevel[]): void {
    const waiting = new Set(levels.filter(({ queues }) => queues.waiting > 0));
    while (waiting.size > 0 && this.#spentMs < turnMs) {
      const next = leastServed(waiting);
      if (!next.queues.dispatchOne() || next.queues.waiting === 0) waiting.delete(next);
    }
    // Requests that could not start now must not wait for a request that may never end.
    if (waiting.size > 0 && !this.#isTurnAsked) {
      this.#isTurnAsked = true;
      this.#options.nextTurn(this.#resume);
    }
  }
}

function leastServed(levels: Iterable<PriorityLevel>): PriorityLevel {
  let least: PriorityLevel | undefined;
  let served = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    const ratio = level.attainedMs / Math.max(1, level.share.nominal);
    if (least === undefined || ratio < served) {
      least = level;
      served = ratio;
    }
  }
  return least!;
}
