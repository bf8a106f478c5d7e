import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { type EmbeddedStorageOptions, openEmbeddedStorage } from './open-embedded-storage.ts';

/** Creates a directory, which the caller must remove. */
export function makeTemporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'keelson-storage-'));
}

export function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}

/** Creates a directory for the running test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** Opens a store in a new directory. Both are removed after the running test. */
export async function openTemporaryStorage(options: Partial<EmbeddedStorageOptions> = {}): Promise<EmbeddedStorage> {
  const directory = options.directory ?? (await temporaryDirectory());
  const storage = await openEmbeddedStorage({ ...options, directory });
  onTestFinished(() => storage.close());
  return storage;
}
