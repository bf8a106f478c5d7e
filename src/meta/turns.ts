import type { MaybePromise } from './maybe-promise.ts';

/** Bytes of a document from which on the work on it is done in several turns of the event loop. */
export const largeDocument = 16 * 1024;

/** How long one turn of work may take, in milliseconds, where the work can be interrupted anywhere. */
const turnMs = 8;

const waiting: (() => void)[] = [];

/**
 * Resolves when others have had their turn. Whoever waits here goes on one per turn of the event loop, so that many large
 * requests at a time hold up a small one no longer than a single large one does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

/** For work that may go on for a while and asks itself whether others should have their turn. */
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

/** Work that can be interrupted wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does work to its end: at once when it is short, otherwise in as many turns as it takes. */
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
  const end = performance.now() + turnMs;
  for (;;) {
    const result = steps.next();
    if (result.done === true || performance.now() >= end) return result;
  }
}

/** Does work to its end without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const result = steps.next();
    if (result.done === true) return result.value;
  }
}
