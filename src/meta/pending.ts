import type { MaybePromise } from './maybe-promise.ts';

/** Maximum number of parts that one piece of work may wait for. A larger number is a bug. */
const maxRestarts = 200;

/** Thrown by synchronous work that needs a value which is not available yet. */
export class Pending extends Error {
  readonly done: Promise<unknown>;

  constructor(what: string, done: Promise<unknown>) {
    super(`${what} is pending`);
    this.done = done;
  }
}

/**
 * Runs work that may throw `Pending`, and repeats it until everything it needs is available. The work must not have
 * side effects, and must find the values that it has waited for.
 */
export function untilReady<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  let result: MaybePromise<T>;
  try {
    result = work();
  } catch (error) {
    if (!(error instanceof Pending)) throw error;
    return restarted(work, error);
  }
  if (!(result instanceof Promise)) return result;
  return result.catch((error) => {
    if (!(error instanceof Pending)) throw error;
    return restarted(work, error);
  });
}

async function restarted<T>(work: () => MaybePromise<T>, first: Pending): Promise<T> {
  let pending = first;
  for (let restarts = 0; restarts < maxRestarts; restarts++) {
    await pending.done;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Pending)) throw error;
      pending = error;
    }
  }
  throw new Error(`too many restarts: ${pending.message}`);
}
