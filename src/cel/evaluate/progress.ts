import { CelError } from '../cel-error.ts';
import { spend, workLeft } from '../work.ts';

/** The part of the evaluation state that is needed here. */
interface Frame {
  readonly cost: number;
  readonly slots: unknown[];
  progressList: ProgressList | undefined;
  hasProgressed: boolean;
  /** Charges for the work before an interruption. */
  skip(cost: number): void;
}

/**
 * The progress of a part of an expression that may take long. An interrupted evaluation starts again. It has no side
 * effects, so it reaches the same parts in the same order. Completed parts are not repeated, and a loop continues where
 * it stopped. The total cost is the same as without interruptions.
 */
export class Progress {
  /** The parts inside this one, or inside the current iteration of this loop. */
  readonly inner = new ProgressList();
  /** Undefined while the part is not done. */
  outcome: { readonly value: unknown } | { readonly error: CelError } | undefined;
  /** Where to continue. Undefined at the start. */
  saved: unknown;
  /** The cost at the start, which is the same in every run. */
  readonly #startCost: number;
  readonly #startWork: number;
  #markedCost: number;
  #markedWork: number;

  constructor(cost: number, work: number) {
    this.#startCost = cost;
    this.#markedCost = cost;
    this.#startWork = work;
    this.#markedWork = work;
  }

  /**
   * Marks everything so far as completed, so that it is not repeated after an interruption. Called in every iteration
   * of a loop.
   */
  mark(frame: Frame): void {
    this.#markedCost = frame.cost;
    this.#markedWork = workLeft();
    this.inner.clear();
    frame.hasProgressed = true;
  }

  /** Charges for the completed parts, which are not repeated. */
  skip(frame: Frame): void {
    const cost = this.#markedCost - this.#startCost;
    const work = this.#startWork - this.#markedWork;
    if (cost === 0 && work === 0) return;
    spend(work);
    frame.skip(cost);
  }
}

/** The parts that an evaluation has reached, in order. */
export class ProgressList {
  /** Where the frame keeps values of `cel.bind` that were computed here. */
  readonly bound: number[] = [];
  readonly #all: Progress[] = [];
  #next = 0;

  next(frame: Frame): Progress {
    const position = this.#next++;
    let progress = this.#all[position];
    if (progress === undefined) {
      progress = new Progress(frame.cost, workLeft());
      this.#all.push(progress);
    } else progress.skip(frame);
    return progress;
  }

  rewind(): void {
    this.#next = 0;
  }

  clear(): void {
    if (this.#next > 0) {
      this.#next = 0;
      this.#all.length = 0;
    }
    if (this.bound.length > 0) this.bound.length = 0;
  }
}

interface ResumableStep {
  /** Continues from the saved progress. */
  readonly run: (progress: Progress) => unknown;
  /** The state to save when the part is interrupted. */
  readonly save: () => unknown;
}

/** Runs a part of an expression that can be interrupted. */
export function runResumable(frame: Frame, { run, save }: ResumableStep): unknown {
  const outer = frame.progressList!;
  const progress = outer.next(frame);
  const { inner, outcome } = progress;
  if (outcome !== undefined) {
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  frame.progressList = inner;
  inner.rewind();
  try {
    const value = run(progress);
    progress.mark(frame);
    progress.outcome = { value };
    return value;
  } catch (error) {
    if (error instanceof CelError) {
      progress.mark(frame);
      progress.outcome = { error };
    } else {
      for (const slot of inner.bound) frame.slots[slot] = undefined;
      inner.bound.length = 0;
      progress.saved = save();
    }
    throw error;
  } finally {
    frame.progressList = outer;
  }
}
