import { expect, test } from 'vitest';
import { mapMaybe, whenSettled } from './maybe-promise.ts';

test('maps an available value synchronously', () => {
  expect(mapMaybe(2, (value) => value + 1)).toBe(3);
  expect(() => mapMaybe(undefined, () => expect.fail('used'))).toThrow('used');
});

test('maps a promise when it resolves', async () => {
  await expect(mapMaybe(Promise.resolve(2), (value) => value + 1)).resolves.toBe(3);
  await expect(mapMaybe(Promise.reject(new Error('gone')), () => 'used')).rejects.toThrow('gone');
});

test.each([
  { make: async () => 2, outcome: 2 },
  { make: () => Promise.reject<number>(new Error('gone')), outcome: new Error('gone') },
])('calls the end of a promise before its callers continue: $outcome', async ({ make, outcome }) => {
  const calls: unknown[] = [];
  const settled = whenSettled(make(), () => calls.push('end'));
  await settled.then(
    (value) => calls.push(value),
    (error) => calls.push(error),
  );
  expect(calls).toEqual(['end', outcome]);
});
