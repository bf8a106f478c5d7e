import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { growingThreads, youngBytes } from '../server/index.ts';

/** Bytes of both halves. By default V8 lets them grow to 32 MB and, with much memory, to 128 MB. */
const largest = 8 * 1024 * 1024;

/**
 * Limits the space for new objects. It is nearly always full, so the process would use its maximum. The maximum cannot be
 * set in a running process, but the factor by which the space grows can. V8 itself makes the space smaller when there is
 * little to do, and it may then grow again.
 *
 * The factor is that of all threads. While others have to grow, this one may grow, too. Theirs is limited by V8 itself.
 *
 * To be called after the start: the compiled code that Node.js has of its own modules is only valid with V8's defaults,
 * and so is that in the compile cache.
 */
export function limitYoungGeneration(): void {
  let isLimited = false;
  const limit = (isReached: boolean): void => {
    if (isReached === isLimited) return;
    isLimited = isReached;
    setFlagsFromString(`--semi-space-growth-factor=${isReached ? 1 : 2}`);
  };
  const check = (): void => limit(youngBytes() >= largest && growingThreads.count === 0);
  new PerformanceObserver(check).observe({ entryTypes: ['gc'] });
  growingThreads.onChange(check);
  check();
  // The compile cache is written at the end.
  process.once('exit', () => limit(false));
}
