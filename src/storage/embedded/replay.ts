import type { StorageEvent, WatchOptions } from '../storage.ts';
import { notify } from '../watcher-set.ts';
import { entryOf, integrityOf } from './entry-of.ts';
import { unpackVersions } from './packed-versions.ts';
import type { ReplayReply } from './protocol.ts';
import type { WorkerConnection } from './worker-connection.ts';

export interface ReplayOptions {
  readonly connection: WorkerConnection;
  readonly watch: WatchOptions;
  /** The newest revision whose events the live watchers have been given. */
  readonly delivered: () => number;
  /**
   * Called once, when the watcher has had everything up to the revision and all later events are yet to be delivered to live
   * watchers: the moment to make it one.
   */
  readonly join: (through: number) => void;
}

/**
 * Gives a watcher what it has missed, chunk by chunk, and lets it join the live ones with no gap and no repetition.
 *
 * It comes to an end under any load: a chunk that is not cut short reaches the worker's newest revision, and no commit made
 * after it can have been answered before it.
 */
export async function replay({ connection, watch, delivered, join }: ReplayOptions): Promise<void> {
  let after = watch.after;
  while (after < delivered()) {
    const chunk = await connection.call('replay', { after, prefix: watch.prefix });
    watch.signal.throwIfAborted();
    notify(watch, toEvents(chunk));
    watch.signal.throwIfAborted();
    after = chunk.through;
  }
  join(after);
}

function toEvents({ revisions, keys, versions }: ReplayReply): StorageEvent[] {
  const unpacked = unpackVersions(versions);
  return revisions.map((revision, index) => {
    const key = keys[index] ?? '';
    const version = unpacked[2 * index];
    const previous = unpacked[2 * index + 1];
    return {
      revision,
      key,
      value: version?.value,
      createRevision: version?.createRevision ?? 0,
      previous: previous && entryOf(key, previous),
      ...integrityOf(version),
    };
  });
}
