import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { type EmbeddedStorageOptions, openEmbeddedStorage } from './open-embedded-storage.ts';

/** A fresh directory; its maker removes it. */
export function makeTemporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'keelson-storage-'));
}

export function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}

/** A fresh directory for the running test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** A store in a directory of its own, both gone after the running test. */
export async function openTemporaryStorage(options: Partial<EmbeddedStorageOptions> = {}): Promise<EmbeddedStorage> {
  const directory = options.directory ?? (await temporaryDirectory());
  const storage = await openEmbeddedStorage({ ...options, directory });
  onTestFinished(() => storage.close());
  return storage;
}
