import { expect, it } from 'vitest';
import { RetryAfter } from './retry-after.ts';

it('asks refused clients to wait longer while many are refused, and shorter when few are', () => {
  let second = 100;
  const retryAfter = new RetryAfter(() => second * 1000);
  const refuse = (seconds: number, perSecond: number): number => {
    for (let end = second + seconds; second < end; second++) {
      for (let count = 0; count < perSecond; count++) retryAfter.refused();
    }
    return retryAfter.seconds;
  };
  expect(retryAfter.seconds).toBe(1);
  expect(refuse(3, 1)).toBe(1);
  expect(refuse(3, 50)).toBe(2);
  expect(refuse(100, 50)).toBe(32);
  expect(refuse(100, 50)).toBe(32);
  second += 60;
  expect(refuse(1, 1)).toBe(16);
  for (let at = 0; at < 20; at++) {
    second += 40;
    retryAfter.refused();
  }
  expect(retryAfter.seconds).toBe(1);
});
