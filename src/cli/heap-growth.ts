import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { growingThreads } from '../server/threads/growing-threads.ts';

const megabyte = 1024 * 1024;
/**
 * Both halves of the space for new objects: of a process with little to do, and of a busy one. By default V8 lets them
 * grow to 32 MB and, with much memory, to 128 MB.
 */
const largestYoung = { quiet: 8 * megabyte, busy: 16 * megabyte };
/**
 * A process is busy that has collected garbage so often within this time. A start collects less often, or is shorter.
 */
const busy = { collections: 64, withinMs: 10_000 };
/** Below this, the space for old objects is left to V8. An idle server has less. */
const smallOld = 48 * megabyte;
/** By default V8 lets the space for old objects grow up to four times before it collects again. */
const growthPercent = 60;

export interface HeapGrowth {
  /** Runs the work with V8's defaults. */
  withDefaults(work: () => void): void;
}

/**
 * Limits the growth of the heap. The space for new objects is nearly always full, so the process would use its maximum.
 * The maximum cannot be set in a running process, but the factor by which the space grows can. V8 itself makes the
 * space smaller when there is little to do, and it may then grow again. Much of the space for old objects would be
 * garbage, and V8 hardly ever returns what the process has once used.
 *
 * What the requests in flight have allocated survives a collection and is copied, so many requests at a time make each
 * collection of a small space expensive. A busy process gets a larger one.
 *
 * Both settings are those of all threads. While others have to grow, this one may grow, too: their space for new
 * objects is limited by V8 itself.
 *
 * To be called when the program is loaded: the compiled code that Node.js has of its own modules is only valid with
 * V8's defaults, and so is that in the compile cache.
 */
export function limitHeapGrowth(): HeapGrowth {
  const limitYoung = flag((isReached) => `--semi-space-growth-factor=${isReached ? 1 : 2}`);
  const limitOld = flag((isReached) => `--heap-growing-percent=${isReached ? growthPercent : 0}`);
  let largest = largestYoung.quiet;
  const check = (): void => {
    for (const { space_name, space_size } of getHeapSpaceStatistics()) {
      if (space_name === 'new_space') limitYoung(space_size >= largest && growingThreads.count === 0);
      if (space_name === 'old_space') limitOld(space_size >= smallOld);
    }
  };
  const isBusy = frequency(busy);
  new PerformanceObserver((list) => {
    largest = list
      .getEntries()
      .map(({ startTime }) => isBusy(startTime))
      .at(-1)
      ? largestYoung.busy
      : largestYoung.quiet;
    check();
  }).observe({ entryTypes: ['gc'] });
  growingThreads.onChange(check);
  check();
  const restoreDefaults = (): void => {
    limitYoung(false);
    limitOld(false);
  };
  // The compile cache is written at the end.
  process.once('exit', restoreDefaults);
  return {
    withDefaults(work) {
      restoreDefaults();
      work();
      check();
    },
  };
}

/**
 * Returns a function to call with the time of each event. It returns whether the number of recent events has reached
 * the limit.
 */
function frequency({ collections, withinMs }: typeof busy): (ms: number) => boolean {
  const times = new Float64Array(collections).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return (ms) => {
    const isFrequent = ms - times[next]! < withinMs;
    times[next] = ms;
    next = (next + 1) % collections;
    return isFrequent;
  };
}

function flag(text: (isReached: boolean) => string): (isReached: boolean) => void {
  let isSet = false;
  return (isReached) => {
    if (isReached === isSet) return;
    isSet = isReached;
    setFlagsFromString(text(isReached));
  };
}
