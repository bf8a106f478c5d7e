import { formatTime } from './time.ts';

/**
 * The clock of a server, for times in objects and for delayed work on them. Timeouts of connections and requests and
 * retry delays use the time of the machine instead.
 */
export interface Clock {
  /** Milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that never go back, for durations. */
  monotonic(): number;
  /**
   * Calls back once, after the delay. The returned function cancels the call. Does not keep the process alive. A delay
   * that exceeds `maxTimerMs` ends early.
   */
  schedule(callback: () => void, delayMs: number): () => void;
}

/** The longest delay of a timer. */
export const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(delayMs, maxTimerMs)).unref();
    return () => clearTimeout(timer);
  },
};

/** Formats the current time for timestamps in objects. */
export function timestamp(clock: Clock): string {
  return formatTime(new Date(clock.now()));
}

/** Waits until the time has passed or the signal aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.schedule(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
