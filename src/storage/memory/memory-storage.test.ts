import { expect, test } from 'vitest';
import { describeStorage } from '../storage.conformance.ts';
import { createMemoryStorage } from './memory-storage.ts';

describeStorage(
  'memory storage',
  async () => {
    const storage = createMemoryStorage();
    return { storage, dispose: () => storage.close() };
  },
  { singleWriter: true, randomRuns: 300 },
);

test('a value over the limit is refused', async () => {
  const storage = createMemoryStorage({ valueLimit: 10 });
  await storage.commit({ key: '/a', expected: 0, value: Buffer.alloc(10) });
  await expect(storage.commit({ key: '/b', expected: 0, value: Buffer.alloc(11) })).rejects.toMatchObject({
    code: 'TooLarge',
  });
  expect(storage.latestRevision()).toBe(1);
});
