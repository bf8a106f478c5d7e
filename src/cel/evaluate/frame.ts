import { costLimitExceeded } from '../cel-error.ts';
import { workLeft } from '../work.ts';
import { ProgressList } from './progress.ts';

/**
 * Thrown by loops and before long calls to let others have their turn. One shared object, because it may be thrown
 * often.
 */
export const interrupted = new Error('the evaluation is interrupted');

export interface Interruptions {
  readonly isDue: () => boolean;
  /** The cost and work after which the check is repeated. */
  readonly interval: number;
}

interface FrameOptions {
  readonly limit: number;
  readonly slots: number;
  /** When the evaluation is interrupted. Default: never. */
  readonly interruptions?: Interruptions;
  /** Whether the evaluation is an attempt that stops when it may take long. */
  readonly isQuick?: boolean;
}

/** The state of one evaluation. */
export class Frame {
  cost = 0;
  readonly #limit: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Variables that were read, and variables of macros. */
  readonly slots: unknown[];
  /** Where loops save their progress. Undefined when none is interrupted. */
  progressList: ProgressList | undefined;
  /** Whether this run has done something that is not repeated. */
  hasProgressed = false;
  readonly #interruptions: Interruptions | undefined;
  readonly #isQuick: boolean;
  /** The cost of the parts that earlier runs have completed. */
  #skipped = 0;
  #nextCheck = Number.NEGATIVE_INFINITY;

  constructor(
    values: Readonly<Record<string, unknown>>,
    { limit, slots, interruptions, isQuick = false }: FrameOptions,
  ) {
    this.values = values;
    this.#isQuick = isQuick;
    this.#limit = limit;
    this.slots = new Array(slots);
    if (interruptions === undefined) return;
    this.progressList = new ProgressList();
    this.#interruptions = interruptions;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw costLimitExceeded;
  }

  /** Charges for the work before an interruption. */
  skip(cost: number): void {
    this.cost += cost;
    this.#skipped += cost;
    // Repeated work may take long. The next attempt must then do at least as much new work, so that repetitions do not
    // dominate.
    this.#nextCheck = this.#effort + Math.max(this.#interruptions!.interval, this.cost - this.#skipped);
  }

  /** Called by loops where they can be interrupted. Each run makes some progress first. */
  check(): void {
    if (this.cost - workLeft() < this.#nextCheck || !this.hasProgressed) return;
    this.#nextCheck = this.#effort + this.#interruptions!.interval;
    this.checkNow();
  }

  /** Like `look`, regardless of the work since the last look. */
  checkNow(): void {
    if (this.hasProgressed && this.#interruptions!.isDue()) throw interrupted;
  }

  /** Called before operations that may take long. */
  refuseIfQuick(): void {
    if (this.#isQuick) throw costLimitExceeded;
  }

  get #effort(): number {
    return this.cost - workLeft();
  }

  /** Resets the state after an interruption. */
  restart(): void {
    this.cost = 0;
    this.#skipped = 0;
    this.hasProgressed = false;
    this.#nextCheck = Number.NEGATIVE_INFINITY;
    const progressList = this.progressList!;
    for (const slot of progressList.bound) this.slots[slot] = undefined;
    progressList.bound.length = 0;
    progressList.rewind();
  }
}

/** A compiled part of an expression. Throws a `CelError` when it has no value. */
export type Run = (frame: Frame) => unknown;
