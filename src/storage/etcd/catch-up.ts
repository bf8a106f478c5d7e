import type { StorageEvent, WatchOptions } from '../storage.ts';
import { notify } from '../watcher-set.ts';
import type { RevisionStream, RevisionStreamOptions } from './revision-stream.ts';

const progressIntervalMs = 100;

export interface CatchUpOptions {
  readonly watch: WatchOptions;
  /** Opens a stream of the keys of the watch. */
  readonly open: (
    stream: Pick<RevisionStreamOptions, 'after' | 'onEvents' | 'onProgress' | 'onEnd'>,
  ) => Promise<RevisionStream>;
  /** Called at each revision that is reached. Returns true when it has taken over. */
  readonly join: (position: number) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Delivers past events to one watcher through a separate etcd watch, until it is close enough to the feed to join it.
 * Resolves when it has joined or the stream has failed. Rejects when the watcher fails.
 */
export async function catchUp({ watch, open, join, signal }: CatchUpOptions): Promise<CatchUpResult> {
  const done = Promise.withResolvers<CatchUpResult>();
  // The promise may be rejected before it is awaited.
  done.promise.catch(() => {});
  let stream: RevisionStream | undefined;
  let position = watch.after;
  const onEvents = (events: readonly StorageEvent[], reached: number): void => {
    position = reached;
    try {
      notify(
        watch,
        events.filter(({ key }) => key.startsWith(watch.prefix)),
      );
      signal.throwIfAborted();
      if (join(position)) done.resolve({ joined: true });
    } catch (error) {
      done.reject(error as Error);
    }
  };
  const onEnd = (error: Error): void => done.resolve({ joined: false, position, error });
  const onAbort = (): void => done.reject(signal.reason);
  const timer = setInterval(() => stream?.requestProgress(), progressIntervalMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    stream = await open({ after: position, onEvents, onProgress: (reached) => onEvents([], reached), onEnd });
    stream.requestProgress();
    return await done.promise;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    stream?.close();
  }
}

export type CatchUpResult =
  | { readonly joined: true }
  | { readonly joined: false; readonly position: number; readonly error: Error };
