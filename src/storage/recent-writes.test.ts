import { expect, test } from 'vitest';
import { RecentWrites } from './recent-writes.ts';

const write = (key: string, stored = `stored ${key}`) => ({
  key,
  stored: Buffer.from(stored),
  value: Buffer.from(key),
});
const storedOf = (key: string) => write(key).stored;

test.each([
  ['numbered', (index: number) => `/registry/pods/default/web-${String(index).padStart(12, '0')}`],
  ['spread', (index: number) => `/registry/pods/default/web-${((index * 0x9e3779b1) >>> 0).toString(36)}`],
  ['of equal ends', (index: number) => `/registry/pods/${index % 8}/kube-root-ca.crt`],
])('keeps the pending writes of 64 clients whose keys are %s', (_, keyOf) => {
  const writes = new RecentWrites();
  for (let start = 0; start < 6400; start += 64) {
    const keys = Array.from({ length: 64 }, (_, index) => keyOf(start + index));
    for (const key of keys) writes.add(write(key));
    const missed = [...new Set(keys)].filter((key) => writes.take(key, storedOf(key))?.toString() !== key);
    expect(missed).toEqual([]);
  }
});

test('a write is returned once, and only for its own bytes', () => {
  const writes = new RecentWrites();
  writes.add(write('/a', 'first'));
  writes.add(write('/a', 'second'));
  expect(writes.take('/a', Buffer.from('first'))).toBeUndefined();
  expect(writes.take('/a', Buffer.from('second'))).toEqual(Buffer.from('/a'));
  expect(writes.take('/a', Buffer.from('second'))).toBeUndefined();
});

test('writes without events are replaced', () => {
  const writes = new RecentWrites();
  for (let index = 0; index < 10_000; index++) writes.add(write(`/unwatched/${index}`));
  for (let index = 0; index < 100; index++) {
    const key = `/watched/${index}`;
    writes.add(write(key));
    expect(writes.take(key, storedOf(key))).toEqual(Buffer.from(key));
  }
});
