import type { MaybePromise } from './maybe-promise.ts';

/** Work that can wait for promises with `yield* ready(value)`. */
export type AsyncSteps<T> = Generator<Promise<unknown>, T, unknown>;

/** Runs work synchronously as long as the values that it needs are available, and asynchronously from then on. */
export function maybeAsync<T>(steps: AsyncSteps<T>): MaybePromise<T> {
  const result = steps.next();
  return result.done === true ? result.value : restOf(steps, result.value);
}

async function restOf<T>(steps: AsyncSteps<T>, first: Promise<unknown>): Promise<T> {
  let pending = first;
  for (;;) {
    const result = await pending.then(
      (value) => steps.next(value),
      (error) => steps.throw(error),
    );
    if (result.done === true) return result.value;
    pending = result.value;
  }
}

/** Returns the value of a promise, or the value itself. */
export function* ready<T>(value: MaybePromise<T>): AsyncSteps<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}
