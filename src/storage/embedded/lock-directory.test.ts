import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockDirectory } from './lock-directory.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';

it('keeps other servers and stores out until it is released', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-lock-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const store = join(directory, 'store');
  const lock = await lockDirectory(store);
  const inUse = { code: 'InUse', message: `the data directory ${store} is in use by another server` };
  await expect(lockDirectory(store)).rejects.toMatchObject(inUse);
  await expect(openEmbeddedStorage({ directory: store })).rejects.toMatchObject(inUse);
  lock.release();
  const storage = await openEmbeddedStorage({ directory: store });
  await expect(lockDirectory(store)).rejects.toMatchObject(inUse);
  await storage.close();
  (await lockDirectory(store)).release();
});
