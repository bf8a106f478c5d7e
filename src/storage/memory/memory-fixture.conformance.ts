import type { StorageFixture } from '../conformance/fixture.conformance.ts';
import { createMemoryStorage } from './memory-storage.ts';

/** A store in memory, for the conformance suites. */
export async function openMemoryFixture(): Promise<StorageFixture> {
  const storage = createMemoryStorage();
  return { storage, dispose: () => storage.close() };
}
