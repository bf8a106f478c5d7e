import type { StorageEvent, WatchOptions } from '../storage.ts';
import { notify } from '../watcher-set.ts';
import { entryOf, integrityOf } from './entry-of.ts';
import { unpackVersions } from './packed-versions.ts';
import type { ReplayReply } from './protocol.ts';
import type { RequestChannel } from './request-channel.ts';

export interface ReplayOptions {
  readonly connection: RequestChannel;
  readonly watch: WatchOptions;
  /** The latest revision whose events have been delivered to the live watchers. */
  readonly delivered: () => number;
  /**
   * Called once, when the watcher has received all events up to `through` and no later event has been delivered to the
   * live watchers. The callee then adds it to the live watchers.
   */
  readonly join: (through: number) => void;
}

/**
 * Sends a watcher the events it has missed, chunk by chunk, and then joins it to the live watchers without gaps or
 * duplicates.
 *
 * It terminates under any load: a chunk that is not cut short reaches the worker's latest revision, and no later event
 * can have been delivered before that chunk. Therefore a chunk is handled in the call that delivers it.
 */
export function replay({ connection, watch, delivered, join }: ReplayOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const continueAfter = (after: number): void => {
    if (after >= delivered()) {
      join(after);
      resolve();
      return;
    }
    connection.post(
      'replay',
      { after, prefix: watch.prefix },
      {
        onReply: (chunk) => attempt(() => take(chunk)),
        onError: reject,
      },
    );
  };
  const take = (chunk: ReplayReply): void => {
    watch.signal.throwIfAborted();
    notify(watch, toEvents(chunk));
    watch.signal.throwIfAborted();
    continueAfter(chunk.through);
  };
  const attempt = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      reject(error);
    }
  };
  attempt(() => continueAfter(watch.after));
  return promise;
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
