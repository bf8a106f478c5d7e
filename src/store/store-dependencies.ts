import type { GroupResource } from '../meta/group-version.ts';
import type { Storage } from '../storage/storage.ts';
import type { CacheLag } from './cache-lag.ts';
import type { StorageReads } from './storage-reads.ts';
import type { CacheOnDemand } from './watch-cache/cache-on-demand.ts';

/** The parts from which the lists, watches and updates of one store get its objects. */
export interface StoreDependencies {
  readonly storage: Storage;
  /** The resource named in errors. */
  readonly resource: GroupResource;
  readonly cache: CacheOnDemand;
  readonly lag: CacheLag;
  readonly storageReads: StorageReads;
}
