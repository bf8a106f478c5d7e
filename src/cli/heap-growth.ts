import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
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
/**
 * The growth of the old generation is set from the first time that it has this size, with the memory outside of the
 * heap that belongs to its objects. An idle server has 25 MB.
 */
const smallOld = 40 * megabyte;
/** By default V8 doubles the young generation. */
const youngFactor = { default: 2, limited: 1 };
/**
 * By default V8 collects the old generation again when that has grown up to four times, or already by a tenth if it
 * grows slowly: under load, several times a second.
 */
const oldPercent = { default: 0, limited: 60 };
/**
 * V8 counts memory outside of the heap, such as the bytes of stored objects, as growth of the old generation, but not
 * as a part of the size that grows. A small heap with many bytes outside would be collected several times a second.
 * This growth is allowed in any case if it is no more than the percentage of both together.
 */
const allowedGrowth = 64 * megabyte;
/** The percentage is rounded, so that the flag seldom changes. */
const percentStep = 20;
const youngSpaces: ReadonlySet<string> = new Set(['new_space', 'new_large_object_space']);

export interface HeapEngine {
  readonly spaces: () => readonly {
    readonly space_name: string;
    readonly space_size: number;
    readonly space_used_size: number;
  }[];
  /** The size of the memory outside of the heap that belongs to its objects. */
  readonly externalSize: () => number;
  readonly setFlags: (flags: string) => void;
}

const v8: HeapEngine = {
  spaces: getHeapSpaceStatistics,
  externalSize: () => getHeapStatistics().external_memory,
  setFlags: setFlagsFromString,
};

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
export function limitHeapGrowth({ spaces, externalSize, setFlags }: HeapEngine = v8): HeapGrowth {
  const setYoungFactor = changes(youngFactor.default, (factor) => setFlags(`--semi-space-growth-factor=${factor}`));
  const setOldPercent = changes(oldPercent.default, (percent) => setFlags(`--heap-growing-percent=${percent}`));
  const setMarking = changes(true, (marks) => setFlags(marks ? '--incremental-marking' : '--no-incremental-marking'));
  const setParallel = changes(true, (helps) => setFlags(helps ? '--parallel-scavenge' : '--no-parallel-scavenge'));
  let hasStarted = false;
  let largest = maxYoung.quiet;
  let wasOldLarge = false;
  const check = (): void => {
    const isLoading = threadHeaps.loading > 0;
    let old = 0;
    for (const { space_name, space_size, space_used_size } of spaces()) {
      if (space_name === 'new_space') {
        const isReached = space_size >= largest && threadHeaps.growing === 0 && !isLoading;
        setYoungFactor(isReached ? youngFactor.limited : youngFactor.default);
      }
      if (!youngSpaces.has(space_name)) old += space_used_size;
    }
    const external = externalSize();
    // Permanently: V8 decides at the end of a collection how far to grow, and the space is smaller after it.
    wasOldLarge ||= old + external >= smallOld;
    setOldPercent(wasOldLarge && !isLoading ? percentOf(old, external) : oldPercent.default);
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

/** By how many percent the old generation may grow. */
function percentOf(old: number, external: number): number {
  const growth = Math.min(((old + external) * oldPercent.limited) / 100, allowedGrowth);
  const percent = Math.round(((growth / old) * 100) / percentStep) * percentStep;
  return Math.max(percent, oldPercent.limited);
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
