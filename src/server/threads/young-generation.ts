import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';

/** The space for new objects of a further thread at most, in megabytes, with what V8 adds for large objects. */
export const maxYoungGenerationMb = 24;

/** Bytes of both halves at the maximum. */
const largest = (maxYoungGenerationMb / 3) * 2 * 1024 * 1024;
/** So many collections in this time, in milliseconds, are too many. */
const frequent = { collections: 8, withinMs: 1000 };

/**
 * Tells when this thread collects its new objects so often that it needs a larger space for them, and when it does not
 * any more. A thread with little to do keeps a small one.
 */
export function followYoungGeneration(tell: (isGrowing: boolean) => void): void {
  let times: number[] = [];
  let isGrowing = false;
  new PerformanceObserver((list) => {
    times = [...times, ...list.getEntries().map(({ startTime }) => startTime)].slice(-frequent.collections);
    const isFrequent = times.length === frequent.collections && times.at(-1)! - times[0]! < frequent.withinMs;
    const wants = isFrequent && youngBytes() < largest;
    if (wants === isGrowing) return;
    isGrowing = wants;
    tell(wants);
  }).observe({ entryTypes: ['gc'] });
}

/** Bytes of the space for new objects of this thread, both halves. */
function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
}
