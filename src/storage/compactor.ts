import type { Storage } from './storage.ts';

export interface CompactorOptions {
  readonly storage: Pick<Storage, 'latestRevision' | 'compact'>;
  /**
   * Minimum milliseconds of history to keep; at most about 1.5 times as much is kept. 0 keeps everything. Default 5
   * min.
   */
  readonly retention?: number;
  /** Called when a compaction fails. The compaction is retried after the next interval. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: CompactorClock;
  readonly signal: AbortSignal;
}

export interface CompactorClock {
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Calls back once, after the delay. The returned function cancels the call. */
  schedule(callback: () => void, delay: number): () => void;
}

interface Sample {
  readonly time: number;
  readonly revision: number;
}

const defaultRetentionMs = 5 * 60 * 1000;
const maxIntervalMs = 60 * 60 * 1000;

/**
 * Compacts by age until the signal aborts. Twice per retention period it records the current revision, and compacts to
 * the revision recorded one retention period ago. Does not keep the process alive.
 */
export function startCompactor(options: CompactorOptions): void {
  const { storage, retention = defaultRetentionMs, onError = () => {}, clock = systemClock, signal } = options;
  if (retention <= 0 || signal.aborted) return;
  const interval = Math.min(retention / 2, maxIntervalMs);
  let samples: Sample[] = [];
  let compacted = 0;
  let cancel = (): void => {};

  const runOnce = async (): Promise<void> => {
    try {
      samples.push({ time: clock.monotonic(), revision: await storage.latestRevision() });
      const due = samples.findLastIndex((sample) => clock.monotonic() - sample.time >= retention);
      const revision = samples[due]?.revision ?? 0;
      samples = samples.slice(Math.max(due, 0));
      if (revision > compacted && !signal.aborted) {
        await storage.compact(revision);
        compacted = revision;
      }
    } catch (error) {
      onError(error);
    }
    // Scheduled after the compaction has finished, so that compactions do not overlap.
    if (!signal.aborted) cancel = clock.schedule(() => void runOnce(), interval);
  };

  signal.addEventListener('abort', () => cancel(), { once: true });
  void runOnce();
}

const systemClock: CompactorClock = {
  monotonic: () => performance.now(),
  schedule(callback, delay) {
    const timer = setTimeout(callback, delay).unref();
    return () => clearTimeout(timer);
  },
};
