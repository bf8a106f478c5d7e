import { expect, it, onTestFinished } from 'vitest';
import { startStoreThread, storeThread } from './store-thread.ts';

it('a thread that was started early is taken once', async () => {
  startStoreThread();
  const later = storeThread(new URL('data:text/javascript,'));
  const [first, second] = [storeThread(), storeThread()];
  onTestFinished(async () => {
    await Promise.all([first, second, later].map((thread) => thread.terminate()));
  });
  expect(first.threadId).toBeLessThan(later.threadId);
  expect(second.threadId).toBeGreaterThan(later.threadId);
});
