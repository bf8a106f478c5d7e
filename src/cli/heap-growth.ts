import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { threadHeaps } from '../server/threads/thread-heaps.ts';

const megabyte = 1024 * 1024;
/**
 * The maximum size of the young generation (both semi-spaces) of a quiet and of a busy process. The default of V8 is 32
 * MB and, with much memory, 128 MB.
 */
const maxYoung = { quiet: 8 * megabyte, busy: 16 * megabyte };
/**
 * A process is busy when it has run this many collections within this time. A start has fewer collections, or is
 * shorter.
 */
const busy = { collections: 64, withinMs: 10_000 };
/** The growth of the old generation is set from the first time that it has this size. An idle server has less. */
const smallOld = 32 * megabyte;
/**
 * The growth limits of the generations. By default V8 doubles the young generation. It collects the old generation again
 * when that has grown up to four times, or already by a tenth if it grows slowly: under load, several times a second.
 */
const youngFactor = { default: 2, limited: 1 };
const oldPercent = { default: 0, limited: 60 };

export interface HeapEngine {
  readonly spaces: () => readonly { readonly space_name: string; readonly space_size: number }[];
  readonly setFlags: (flags: string) => void;
}

const v8: HeapEngine = { spaces: getHeapSpaceStatistics, setFlags: setFlagsFromString };

export interface HeapGrowth {
  /** Must be called when the server has started. */
  started(): void;
  /** Runs the work with V8's defaults. */
  withDefaults(work: () => void): void;
}

/**
 * Limits the growth of the heap. The young generation is nearly always full, so the process would use its maximum size.
 * The maximum cannot be set in a running process, but the growth factor can. V8 shrinks the young generation when the
 * process is idle, and it may then grow again. Much of the old generation would be garbage, and V8 hardly ever returns
 * memory to the system.
 *
 * Objects of the requests in flight survive a collection and are copied, so many concurrent requests make each
 * collection of a small young generation expensive. A busy process gets a larger one.
 *
 * During the start nearly all objects stay, so that marking them would only delay it. If the heap becomes large, V8
 * collects it nevertheless. After the start a collection of the young generation finds few objects, and waking threads
 * to share that work costs more than it saves.
 *
 * The settings apply to all threads. While another thread has to grow or loads the program, this one may grow as well;
 * V8 limits the young generation of the other threads.
 *
 * Must be called after the program is loaded: the compiled code of Node.js's own modules and of the program is valid
 * only with V8's default flags.
 */
export function limitHeapGrowth({ spaces, setFlags }: HeapEngine = v8): HeapGrowth {
  const setYoungFactor = changes(youngFactor.default, (factor) => setFlags(`--semi-space-growth-factor=${factor}`));
  const setOldPercent = changes(oldPercent.default, (percent) => setFlags(`--heap-growing-percent=${percent}`));
  const setMarking = changes(true, (marks) => setFlags(marks ? '--incremental-marking' : '--no-incremental-marking'));
  const setParallel = changes(true, (helps) => setFlags(helps ? '--parallel-scavenge' : '--no-parallel-scavenge'));
  let hasStarted = false;
  let largest = maxYoung.quiet;
  let wasOldLarge = false;
  const check = (): void => {
    const isLoading = threadHeaps.loading > 0;
    for (const { space_name, space_size } of spaces()) {
      if (space_name === 'new_space') {
        const isReached = space_size >= largest && threadHeaps.growing === 0 && !isLoading;
        setYoungFactor(isReached ? youngFactor.limited : youngFactor.default);
      }
      if (space_name === 'old_space' && space_size >= smallOld) wasOldLarge = true;
    }
    // Permanently: V8 decides at the end of a collection how far to grow, and the space is smaller after it.
    setOldPercent(wasOldLarge && !isLoading ? oldPercent.limited : oldPercent.default);
    setParallel(!hasStarted || isLoading);
  };
  const isBusy = frequency(busy);
  new PerformanceObserver((list) => {
    largest = list
      .getEntries()
      .map(({ startTime }) => isBusy(startTime))
      .at(-1)
      ? maxYoung.busy
      : maxYoung.quiet;
    check();
  }).observe({ entryTypes: ['gc'] });
  threadHeaps.onChange(check);
  check();
  setMarking(false);
  const restoreDefaults = (): void => {
    setYoungFactor(youngFactor.default);
    setOldPercent(oldPercent.default);
    setMarking(true);
    setParallel(true);
  };
  // The compile cache is written at the end.
  process.once('exit', restoreDefaults);
  return {
    started() {
      setMarking(true);
      hasStarted = true;
      check();
    },
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

/** Calls `set` only when the value changes. */
function changes<T>(initial: T, set: (value: T) => void): (value: T) => void {
  let current = initial;
  return (value) => {
    if (value === current) return;
    current = value;
    set(value);
  };
}
