import { expect, it } from 'vitest';
import { type AsyncSteps, maybeAsync, ready } from './maybe-async.ts';
import type { MaybePromise } from './maybe-promise.ts';

function* sum(values: readonly MaybePromise<number>[]): AsyncSteps<number> {
  let total = 0;
  for (const value of values) total += yield* ready(value);
  return total;
}

it('is synchronous without promises', () => {
  expect(maybeAsync(sum([1, 2, 3]))).toBe(6);
});

it('waits for promises', async () => {
  await expect(maybeAsync(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]))).resolves.toBe(10);
});

it('fails where a promise was rejected, so that the work can handle it', async () => {
  function* handled(): AsyncSteps<string> {
    try {
      yield* ready(Promise.reject(new RangeError('no')));
      return 'done';
    } catch (error) {
      return yield* ready(Promise.resolve(`handled ${(error as Error).message}`));
    }
  }
  await expect(maybeAsync(handled())).resolves.toBe('handled no');
  await expect(maybeAsync(sum([1, Promise.reject(new RangeError('no'))]))).rejects.toThrow(RangeError);
});
