import { expect, test } from 'vitest';
import { describeStorage } from '../storage.conformance.ts';
import { openMemoryFixture } from './memory-fixture.conformance.ts';
import { createMemoryStorage } from './memory-storage.ts';

// `memory-storage.long.test.ts` does more runs.
describeStorage('memory storage', openMemoryFixture, { singleWriter: true, commitsTwice: true, randomRuns: 80 });

test('a value over the limit is refused', async () => {
  const storage = createMemoryStorage({ valueLimit: 10 });
  await storage.commit({ key: '/a', expected: 0, value: Buffer.alloc(10) });
  await expect(storage.commit({ key: '/b', expected: 0, value: Buffer.alloc(11) })).rejects.toMatchObject({
    code: 'TooLarge',
  });
  expect(storage.latestRevision()).toBe(1);
});

test('revisions go on after the first one, and earlier ones are compacted', async () => {
  const storage = createMemoryStorage({ firstRevision: 1000 });
  expect(storage.compactedRevision()).toBe(1000);
  const result = await storage.commit({ key: '/a', expected: 0, value: Buffer.from('x') });
  expect(result).toEqual({ committed: true, revision: 1001 });
  const seen: number[] = [];
  const onEvents = (events: readonly { revision: number }[]) => seen.push(...events.map(({ revision }) => revision));
  const watch = (after: number) =>
    storage.watch({ prefix: '/', after, onEvents, onError: () => {}, signal: new AbortController().signal });
  await watch(1000);
  expect(seen).toEqual([1001]);
  await expect(watch(999)).rejects.toMatchObject({ code: 'RevisionCompacted' });
});
