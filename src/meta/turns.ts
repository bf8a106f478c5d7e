import type { MaybePromise } from './maybe-promise.ts';

/** Size in bytes from which a document is processed in several turns of the event loop. */
export const largeDocument = 16 * 1024;

/** How long interruptible work may occupy the event loop before it yields, in milliseconds. */
const turnMs = 3;

/**
 * In a turn that is not older than this, in milliseconds, the caller continues. A turn costs more than many of the
 * steps in it, and completing one request early leaves less garbage than many requests in progress.
 */
const freshMs = 1;

const waiting: (() => void)[] = [];
let resumedAt = Number.NEGATIVE_INFINITY;
/** Whether a caller has been resumed but has not run yet. Requests may arrive in groups. */
let isContinuing = false;

/**
 * Yields to the event loop, unless the current turn has just started. Only one waiting caller resumes per turn, so that
 * many concurrent large requests delay a small one no longer than a single large request does.
 */
export function nextTurn(): Promise<void> {
  if (!isContinuing && performance.now() - resumedAt < freshMs) return continueTurn();
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });
}

async function continueTurn(): Promise<void> {
  isContinuing = true;
  await undefined;
  isContinuing = false;
}

function resumeNext(): void {
  resumedAt = performance.now();
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Tracks the time of long-running work that yields to the event loop explicitly. */
export class Turn {
  #end = performance.now() + turnMs;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + turnMs;
  }
}

/** Work that can be interrupted at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** When the running steps must yield. Only one caller runs steps at a time, because they are synchronous. */
let turnEnd = Number.POSITIVE_INFINITY;

/**
 * Returns whether the running steps should yield. Each `yield` passes through all generators around it, which costs
 * more than the work on a small object does. Steps that are often short therefore check this before they yield.
 */
export function isTurnOver(): boolean {
  return isInterruptible() && performance.now() >= turnEnd;
}

/** Returns whether the running steps may yield at all. */
export function isInterruptible(): boolean {
  return turnEnd !== Number.POSITIVE_INFINITY;
}

/** Runs work to completion: synchronously when it is short, otherwise in several turns of the event loop. */
export function inTurns<T>(steps: Steps<T>): MaybePromise<T> {
  const result = oneTurn(steps);
  return result.done === true ? result.value : restInTurns(steps);
}

async function restInTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const result = oneTurn(steps);
    if (result.done === true) return result.value;
  }
}

function oneTurn<T>(steps: Steps<T>): IteratorResult<undefined, T> {
  const outerEnd = turnEnd;
  turnEnd = performance.now() + turnMs;
  try {
    for (;;) {
      const result = steps.next();
      if (result.done === true || performance.now() >= turnEnd) return result;
    }
  } finally {
    turnEnd = outerEnd;
  }
}

/** Runs work to completion without yielding to the event loop. */
export function runSync<T>(steps: Steps<T>): T {
  const outerEnd = turnEnd;
  turnEnd = Number.POSITIVE_INFINITY;
  try {
    for (;;) {
      const result = steps.next();
      if (result.done === true) return result.value;
    }
  } finally {
    turnEnd = outerEnd;
  }
}
