import type { Change, CommitResult, RangeOptions, RangeResult, Storage, StoredEntry, WatchOptions } from './storage.ts';

/** A storage on top of another one. It delegates everything that a subclass does not override. */
export abstract class DelegatingStorage implements Storage {
  protected readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  get watchesLag(): boolean {
    return this.storage.watchesLag;
  }

  get mayBeStale(): boolean | undefined {
    return this.storage.mayBeStale;
  }

  latestRevision(): number | Promise<number> {
    return this.storage.latestRevision();
  }

  compactedRevision(): number {
    return this.storage.compactedRevision();
  }

  get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined> {
    return this.storage.get(key, options);
  }

  range(options: RangeOptions): Promise<RangeResult> {
    return this.storage.range(options);
  }

  commit(change: Change): Promise<CommitResult> {
    return this.storage.commit(change);
  }

  watch(options: WatchOptions): Promise<void> {
    return this.storage.watch(options);
  }

  compact(revision: number): Promise<void> {
    return this.storage.compact(revision);
  }

  probe(signal: AbortSignal): Promise<void> {
    return this.storage.probe(signal);
  }

  probeWrites(signal: AbortSignal): Promise<void> {
    return this.storage.probeWrites(signal);
  }

  close(): Promise<void> {
    return this.storage.close();
  }
}
