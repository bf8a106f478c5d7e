import { expect, test } from 'vitest';
import { whenThere } from './maybe-promise.ts';

test('an answer that is there is used at once', () => {
  expect(whenThere(2, (value) => value + 1)).toBe(3);
  expect(() => whenThere(undefined, () => expect.fail('used'))).toThrow('used');
});

test('an answer that comes later is used then', async () => {
  await expect(whenThere(Promise.resolve(2), (value) => value + 1)).resolves.toBe(3);
  await expect(whenThere(Promise.reject(new Error('gone')), () => 'used')).rejects.toThrow('gone');
});
