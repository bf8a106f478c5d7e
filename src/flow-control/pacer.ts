import type { PriorityLevel } from './levels/priority-level.ts';

/**
 * The maximum duration of requests within one turn of the event loop, in milliseconds. Then other requests wait for the
 * next turn.
 */
const turnMs = 8;
/**
 * A new turn is scheduled after this much work, in milliseconds. Most turns have less, and scheduling a turn costs as
 * much as a request that is answered from memory. The work of a turn may therefore include this much work of earlier
 * turns.
 */
const noticeMs = 3;
/** The decay factor of earlier work per turn. */
const memory = 0.9;

/** The estimate of later work is updated after this much activity of the event loop, in milliseconds. */
const windowMs = 20;
/** The weight of a new measurement in the estimate of later work. */
const gain = 0.3;
/** The maximum estimate of later work, in milliseconds, so that other work of the server does not delay requests. */
const maxLaterMs = 2;

export interface PacerOptions {
  readonly levels: () => Iterable<PriorityLevel>;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn?: (callback: () => void) => void;
  /** How long the event loop has been active since it began, in milliseconds. */
  readonly activeMs?: () => number;
}

/**
 * Shares the turns of the event loop. Requests that are answered from memory never hold a seat while others arrive, so
 * seats alone would not prevent a user with thousands of them from delaying all others. When a turn has used its share
 * of work, requests wait in their queues instead, and start in later turns in fair order.
 *
 * A request that waits for its body or for the storage does most of its work in later turns. That work is charged when
 * the request starts, as the mean of what such requests took lately. Otherwise hundreds of writes would start in one
 * turn, and their commits would end in one turn, too.
 */
export class Pacer {
  readonly #options: Required<PacerOptions>;
  #spentMs = 0;
  #isTurnRequested = false;
  #isResuming = false;
  /** The average work of a request after it first waited. */
  #laterMs = 0;
  #measuredAt = 0;
  /** The measured work since `#measuredAt`, and the number of requests whose later work was not measured. */
  #measuredMs = 0;
  #continuedCount = 0;

  constructor({
    levels,
    nextTurn = setImmediate,
    activeMs = () => performance.eventLoopUtilization().active,
  }: PacerOptions) {
    this.#options = { levels, nextTurn, activeMs };
  }

  /** Whether arriving requests have to wait for another turn. */
  readonly isPaused = (): boolean => this.#spentMs >= turnMs || this.#isResuming;

  /**
   * Charges a request that has run this long and now waits for something. Its estimated later work is charged as well.
   */
  chargeContinued(level: PriorityLevel, milliseconds: number): void {
    this.#continuedCount++;
    this.#measuredMs -= this.#laterMs;
    this.spend(level, milliseconds + this.#laterMs);
  }

  /**
   * Counts an exempt request that waits for something. It is not paced, but its later work must not be charged to
   * others.
   */
  countExempt(): void {
    this.#continuedCount++;
  }

  /** Charges work of a level that took this long without leaving the event loop. */
  spend(level: PriorityLevel, milliseconds: number): void {
    level.attainedMs += milliseconds;
    this.#measuredMs += milliseconds;
    this.#spentMs += milliseconds;
    if (this.#spentMs < noticeMs || this.#isTurnRequested) return;
    this.#isTurnRequested = true;
    this.#options.nextTurn(this.#resume);
  }

  readonly #resume = (): void => {
    this.#isTurnRequested = false;
    this.#spentMs = 0;
    this.#isResuming = true;
    this.#estimate();
    try {
      let hasWaiting = false;
      for (const level of this.#options.levels()) {
        level.attainedMs *= memory;
        if (level.queues.waiting > 0) hasWaiting = true;
      }
      if (hasWaiting) this.#start();
    } finally {
      this.#isResuming = false;
    }
  };

  /**
   * Updates the estimate of later work: the activity of the event loop beyond the measured work belongs to the requests
   * that waited.
   */
  #estimate(): void {
    const activeMs = this.#options.activeMs();
    const passedMs = activeMs - this.#measuredAt;
    if (passedMs < windowMs) return;
    const laterMs = Math.max(0, passedMs - this.#measuredMs) / Math.max(1, this.#continuedCount);
    this.#laterMs += gain * (Math.min(maxLaterMs, laterMs) - this.#laterMs);
    this.#measuredAt = activeMs;
    this.#measuredMs = 0;
    this.#continuedCount = 0;
  }

  /** The level with the least work per seat starts the next request. */
  #start(): void {
    const waiting = new Set([...this.#options.levels()].filter(({ queues }) => queues.waiting > 0));
    while (waiting.size > 0 && this.#spentMs < turnMs) {
      const next = leastServed(waiting);
      if (!next.queues.dispatchOne() || next.queues.waiting === 0) waiting.delete(next);
    }
    // A turn is scheduled, so that requests that could not start do not have to wait for the end of another request.
    if (waiting.size > 0 && !this.#isTurnRequested) {
      this.#isTurnRequested = true;
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
