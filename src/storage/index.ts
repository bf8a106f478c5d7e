/**
 * The `Storage` interface, a multi-version key-value map with history and watches, and its backends: `memory` keeps
 * data in the process, `embedded` in a directory on disk, `etcd` in a cluster that several servers share. `snapshot`
 * reads the backups of etcd. The compactor removes old history by age.
 *
 * This layer stores opaque bytes. Objects, resource versions and the watch cache belong to higher layers. The suite in
 * `storage.conformance.ts` specifies what a backend must do.
 */
export { startCompactor } from './compactor.ts';
export { DelegatingStorage } from './delegating-storage.ts';
export { lockDirectory } from './embedded/lock-directory.ts';
export { fillEmbeddedStorage, openEmbeddedStorage } from './embedded/open-embedded-storage.ts';
export type { EtcdTls } from './etcd/channel.ts';
export { parseEndpoint } from './etcd/endpoint.ts';
export { createMemoryStorage, fillMemoryStorage, MemoryStorage } from './memory/memory-storage.ts';
export * from './storage.ts';
export { TransformedStorage, type TransformedValue, type ValueTransformer } from './transformed-storage.ts';
