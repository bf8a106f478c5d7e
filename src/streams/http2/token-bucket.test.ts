import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const takeAll = (bucket: TokenBucket): number => {
  let count = 0;
  while (bucket.take()) count++;
  return count;
};

it('has a burst, then so many a second', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 4 });
  expect(takeAll(bucket)).toBe(10);
  vi.advanceTimersByTime(500);
  expect(takeAll(bucket)).toBe(2);
  vi.advanceTimersByTime(100_000);
  expect(takeAll(bucket)).toBe(10);
});

it('can be earned, up to the burst', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 0 });
  expect(takeAll(bucket)).toBe(10);
  bucket.earn(3.5);
  expect(takeAll(bucket)).toBe(3);
  bucket.earn(100);
  expect(takeAll(bucket)).toBe(10);
});
