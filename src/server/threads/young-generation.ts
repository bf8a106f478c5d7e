import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';

/** Maximum size of the young generation of an additional thread in megabytes, including its space for large objects. */
export const maxYoungGenerationMb = 24;

/** Size of both semi-spaces at the maximum, in bytes. */
const maxBytes = (maxYoungGenerationMb / 3) * 2 * 1024 * 1024;
/** More collections than this within `withinMs` mean that the young generation is too small. */
const frequent = { collections: 8, withinMs: 1000 };

export type YoungGenerationSize = 'too small' | 'sufficient';

/**
 * Reports when the young generation of this thread is too small, and when it no longer is. The young generation of a
 * thread with little load stays small.
 */
export function followYoungGeneration(notify: (size: YoungGenerationSize) => void): void {
  let times: number[] = [];
  let known: YoungGenerationSize = 'sufficient';
  new PerformanceObserver((list) => {
    times = [...times, ...list.getEntries().map(({ startTime }) => startTime)].slice(-frequent.collections);
    const isFrequent = times.length === frequent.collections && times.at(-1)! - times[0]! < frequent.withinMs;
    const size = isFrequent && youngBytes() < maxBytes ? 'too small' : 'sufficient';
    if (size === known) return;
    known = size;
    notify(size);
  }).observe({ entryTypes: ['gc'] });
}

/** Returns the size of both semi-spaces of this thread, in bytes. */
function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
}
