/**
 * Where bytes are kept: the `Storage` contract, a multi-version map with history and watches, and its backends. `memory`
 * lives in the process, `embedded` in a directory on disk. The compactor forgets old history by age.
 *
 * What the bytes mean, objects, resource versions in them, caches for watchers of the API: none of that is known here. The
 * suite in `storage.conformance.ts` says what a backend must do.
 */
export { startCompactor } from './compactor.ts';
export { openEmbeddedStorage } from './embedded/open-embedded-storage.ts';
export { createMemoryStorage } from './memory/memory-storage.ts';
export * from './storage.ts';
