import { expect, test } from 'vitest';
import { mapMaybe } from './maybe-promise.ts';

test('an answer that is there is used at once', () => {
  expect(mapMaybe(2, (value) => value + 1)).toBe(3);
  expect(() => mapMaybe(undefined, () => expect.fail('used'))).toThrow('used');
});

test('an answer that comes later is used then', async () => {
  await expect(mapMaybe(Promise.resolve(2), (value) => value + 1)).resolves.toBe(3);
  await expect(mapMaybe(Promise.reject(new Error('gone')), () => 'used')).rejects.toThrow('gone');
});
