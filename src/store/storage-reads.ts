import type { GroupResource } from '../meta/group-version.ts';
import type { Storage, StoredEntry } from '../storage/storage.ts';
import type { CacheLag } from './cache-lag.ts';
import { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { listFromHistory, type StoredHistory } from './history.ts';
import { objectsIn } from './list-objects.ts';
import type { ListOptions, ListResult } from './object-store.ts';
import { PastEvents } from './past-events.ts';
import { readEntry } from './read-value.ts';
import type { StoreMetrics } from './store-metrics.ts';
import type { StoredObject } from './stored-object.ts';

export interface StorageReadsOptions {
  readonly storage: Storage;
  readonly prefix: string;
  readonly kind?: string | undefined;
  readonly metrics?: StoreMetrics | undefined;
}

/** Reads objects of one type from storage that are not, not yet or no longer in the cache. */
export class StorageReads {
  readonly #options: StorageReadsOptions;
  readonly #lag: CacheLag;
  readonly #history: StoredHistory;
  readonly pastEvents: PastEvents;

  constructor(options: StorageReadsOptions, { resource, lag }: { resource: GroupResource; lag: CacheLag }) {
    const { storage, prefix, kind } = options;
    this.#options = options;
    this.#lag = lag;
    this.#history = { storage, prefix, resource, kind };
    this.pastEvents = new PastEvents(this.#history);
  }

  /** Rejects if the object is corrupt. */
  async get(key: string): Promise<StoredObject | undefined> {
    const object = await this.read(key);
    if (!(object instanceof CorruptObject)) return object;
    throw new CorruptObjectError([object], { resource: this.#history.resource, keyOrPrefix: key });
  }

  async read(key: string): Promise<StoredObject | CorruptObject | undefined> {
    return this.objectOf(await this.#options.storage.get(key));
  }

  /** Returns the object of an entry that storage has just returned. */
  async objectOf(entry: StoredEntry | undefined): Promise<StoredObject | CorruptObject | undefined> {
    const { storage, kind } = this.#options;
    const object = entry && readEntry(entry, kind);
    // The revision at which an absent object was deleted is unknown, so the latest revision is used.
    if (storage.watchesLag) this.#lag.show(object?.revision ?? (await storage.latestRevision()));
    return object;
  }

  /** Lists at a revision, by default the latest one. */
  async list(options: ListOptions, revision?: number): Promise<ListResult> {
    const at = revision ?? (await this.#options.storage.latestRevision());
    if (revision === undefined) this.#lag.show(at);
    let fetched = 0;
    const onRead = (entries: number): void => {
      fetched += entries;
    };
    const listed = await listFromHistory({ ...this.#history, onRead }, { ...options, revision: at });
    this.#options.metrics?.listedFromStorage({ fetched, returned: objectsIn(listed) });
    return listed;
  }
}
