import { expect, test } from 'vitest';
import { LaggingStorage } from './lagging-storage.conformance.ts';
import { createMemoryStorage } from './memory/memory-storage.ts';
import { describeStorage } from './storage.conformance.ts';

describeStorage(
  'lagging storage',
  async () => {
    const storage = new LaggingStorage(createMemoryStorage(), { delayMs: () => Math.random() * 3 });
    return { storage, dispose: () => storage.close() };
  },
  { singleWriter: false, randomRuns: 20 },
);

test('a watch reaches the latest revision although nothing of its prefix changes', async () => {
  const storage = new LaggingStorage(createMemoryStorage(), { delayMs: () => 1 });
  const steps: string[] = [];
  await storage.watch({
    prefix: '/a/',
    after: 0,
    onEvents: (events) => steps.push(...events.map(({ revision }) => `event ${revision}`)),
    onProgress: (revision) => steps.push(`progress ${revision}`),
    onError: () => {},
    signal: new AbortController().signal,
  });
  await storage.commit({ key: '/a/1', expected: 0, value: Buffer.from('x') });
  await storage.commit({ key: '/b/1', expected: 0, value: Buffer.from('x') });
  expect(await storage.latestRevision()).toBe(2);
  await expect.poll(() => steps).toEqual(['event 1', 'progress 2']);
});
