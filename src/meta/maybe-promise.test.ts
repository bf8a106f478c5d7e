import { expect, test } from 'vitest';
import { mapMaybe } from './maybe-promise.ts';

test('maps an available value synchronously', () => {
  expect(mapMaybe(2, (value) => value + 1)).toBe(3);
  expect(() => mapMaybe(undefined, () => expect.fail('used'))).toThrow('used');
});

test('maps a promise when it resolves', async () => {
  await expect(mapMaybe(Promise.resolve(2), (value) => value + 1)).resolves.toBe(3);
  await expect(mapMaybe(Promise.reject(new Error('gone')), () => 'used')).rejects.toThrow('gone');
});
