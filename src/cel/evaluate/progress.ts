import { CelError } from '../cel-error.ts';
import { spend, workLeft } from '../work.ts';
import type { Frame } from './frame.ts';

/**
 * What has been done of a part of an expression that may take long. An evaluation that is interrupted begins again: it has
 * no effects, so it comes by the same parts in the same order. Those that are done are not done again, and a loop goes on
 * where it was. All of it costs what it costs without interruptions.
 */
export class Progress {
  /** The parts inside this one, or inside the current turn of this loop. */
  readonly parts = new Parts();
  /** Undefined while the part is not done. */
  outcome: { readonly value: unknown } | { readonly error: CelError } | undefined;
  /** What is not repeated has cost this. */
  cost = 0;
  work = 0;
  /** Where to go on. Undefined at the start. */
  saved: unknown;
}

/** The parts that an evaluation has come by, in their order. */
export class Parts {
  /** Where the frame keeps values of `cel.bind` that were computed here. */
  readonly bound: number[] = [];
  readonly #all: Progress[] = [];
  #next = 0;

  next(): Progress {
    const position = this.#next++;
    let progress = this.#all[position];
    if (progress === undefined) {
      progress = new Progress();
      this.#all.push(progress);
    }
    return progress;
  }

  rewind(): void {
    this.#next = 0;
  }

  clear(): void {
    this.#next = 0;
    this.#all.length = 0;
    this.bound.length = 0;
  }
}

interface Part {
  /** Goes on from what was saved. Tells by `mark` when something is done that is not to be repeated. */
  readonly run: (progress: Progress, mark: () => void) => unknown;
  /** What to save when the part is interrupted. */
  readonly save: () => unknown;
}

/** Runs a part of an expression that can be interrupted. */
export function runPart(frame: Frame, { run, save }: Part): unknown {
  const outer = frame.parts!;
  const progress = outer.next();
  const { parts, outcome } = progress;
  const [cost, work] = [frame.cost, workLeft()];
  if (progress.cost > 0 || progress.work > 0) {
    frame.skip(progress.cost);
    spend(progress.work);
  }
  if (outcome !== undefined) {
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  const mark = (): void => {
    progress.cost = frame.cost - cost;
    progress.work = work - workLeft();
    parts.clear();
    frame.progressed();
  };
  frame.parts = parts;
  parts.rewind();
  try {
    const value = run(progress, mark);
    mark();
    progress.outcome = { value };
    return value;
  } catch (error) {
    if (error instanceof CelError) {
      mark();
      progress.outcome = { error };
    } else {
      for (const slot of parts.bound) frame.slots[slot] = undefined;
      parts.bound.length = 0;
      progress.saved = save();
    }
    throw error;
  } finally {
    frame.parts = outer;
  }
}
