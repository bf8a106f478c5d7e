import type { Storage } from './storage.ts';

export interface CompactorOptions {
  readonly storage: Pick<Storage, 'latestRevision' | 'compact'>;
  /** Milliseconds of history kept at least, and at most about one and a half times that. 0: all of it. Default 5 min. */
  readonly retention?: number;
  /** Told of a compaction that failed; it is tried again at the next turn. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: CompactorClock;
  readonly signal: AbortSignal;
}

export interface CompactorClock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Calls back once; the result cancels that. */
  schedule(callback: () => void, delay: number): () => void;
}

interface Sample {
  readonly time: number;
  readonly revision: number;
}

const FIVE_MINUTES = 5 * 60 * 1000;
const ONE_HOUR = 60 * 60 * 1000;

/**
 * Compacts by age until the signal aborts: twice per retention it notes the revision, and forgets what had been written by
 * the time of a note that is as old as the retention. Does not keep the process alive.
 */
export function startCompactor(options: CompactorOptions): void {
  const { storage, retention = FIVE_MINUTES, onError = () => {}, clock = systemClock, signal } = options;
  if (retention <= 0 || signal.aborted) return;
  const interval = Math.min(retention / 2, ONE_HOUR);
  let samples: Sample[] = [];
  let compacted = 0;
  let cancel = (): void => {};

  const turn = async (): Promise<void> => {
    try {
      samples.push({ time: clock.now(), revision: await storage.latestRevision() });
      const due = samples.findLastIndex((sample) => clock.now() - sample.time >= retention);
      const revision = samples[due]?.revision ?? 0;
      samples = samples.slice(Math.max(due, 0));
      if (revision > compacted && !signal.aborted) {
        await storage.compact(revision);
        compacted = revision;
      }
    } catch (error) {
      onError(error);
    }
    // Only now, so that a slow compaction is not overtaken by the next.
    if (!signal.aborted) cancel = clock.schedule(() => void turn(), interval);
  };

  signal.addEventListener('abort', () => cancel(), { once: true });
  void turn();
}

const systemClock: CompactorClock = {
  now: () => performance.now(),
  schedule(callback, delay) {
    const timer = setTimeout(callback, delay).unref();
    return () => clearTimeout(timer);
  },
};
