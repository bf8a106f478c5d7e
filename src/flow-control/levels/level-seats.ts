import { createHash } from 'node:crypto';
import type { DemandObservation } from '../queues/seat-demand.ts';
import type { SharedSeats } from '../queues/shared-seats.ts';

/** The maximum number of levels with shared seats, and of queues per level with a shared request count. */
const maxLevels = 128;
const maxQueues = 256;
/**
 * The maximum amount of work, in seat-milliseconds, by which a thread may be behind another one when it begins to wait.
 */
const maxDebt = 100;
/** After this time in milliseconds, the owner of a lock is assumed to have ended. */
const lockTimeoutMs = 100;

// The layout of the integers: a lock, one cell per thread to wake it, and the levels.
const lockCell = 0;
const firstWakeCell = 1;
// Per level: the hash of its name, the threads that use it, the seats in use, the threads that wait for seats.
const hashCell = 0;
const usersCell = 2;
const seatsCell = 3;
const waitingCell = 4;
const levelCells = 5;
// Per thread and level: whether it uses the level, its seats in use, whether it waits for seats, and its requests in
// each queue.
const isUserCell = 0;
const ownSeatsCell = 1;
const ownWaitingCell = 2;
const firstQueueCell = 3;
const cellsPerThread = firstQueueCell + maxQueues;
// The floating-point numbers per thread and level: its work so far, and its demand.
const workNumber = 0;
const averageNumber = 1;
const deviationNumber = 2;
const highestNumber = 3;
const numbersPerThread = 4;

/**
 * The seats of all priority levels, in memory that the threads of a server share. Each thread has an index. A level is
 * identified by its name and allocated by the first thread that uses it.
 */
export class LevelSeats {
  readonly memory: SharedArrayBuffer;
  readonly threads: number;
  readonly #threadIndex: number;
  readonly #cells: Int32Array;
  readonly #numbers: Float64Array;

  constructor(memory: SharedArrayBuffer, threadIndex: number) {
    const threads = threadsOf(memory);
    this.memory = memory;
    this.threads = threads;
    this.#threadIndex = threadIndex;
    this.#numbers = new Float64Array(memory, 0, numbersFor(threads));
    this.#cells = new Int32Array(memory, this.#numbers.byteLength);
  }

  /** Creates the seats for this number of threads. Called by the first thread. */
  static create(threads: number): LevelSeats {
    return new LevelSeats(new SharedArrayBuffer(bytesFor(threads)), 0);
  }

  /** Returns the seats of a level, until they are released. Undefined if there are too many levels. */
  claim(name: string): LevelShare | undefined {
    const digest = createHash('sha256').update(name).digest();
    const hash = [digest.readInt32LE(0), digest.readInt32LE(4)] as const;
    return this.#locked(() => {
      const level = this.#find(hash);
      if (level === undefined) return undefined;
      this.#cells[level + hashCell] = hash[0];
      this.#cells[level + hashCell + 1] = hash[1];
      this.#cells[level + usersCell]!++;
      this.#cells[level + levelCells + this.#threadIndex * cellsPerThread + isUserCell] = 1;
      return new LevelShare({
        cells: this.#cells,
        numbers: this.#numbers,
        level,
        index: (level - firstLevelCell(this.threads)) / cellsOfLevel(this.threads),
        threadIndex: this.#threadIndex,
        threads: this.threads,
        release: () => this.#locked(() => this.#release(level, this.#threadIndex)),
      });
    });
  }

  /** Resolves when seats may be available: with true if a thread has reported it, with false after a timeout. */
  async woken(): Promise<boolean> {
    const cell = firstWakeCell + this.#threadIndex;
    const waited = Atomics.waitAsync(this.#cells, cell, 0, fairnessTimeoutMs);
    const outcome = waited.async ? await waited.value : waited.value;
    Atomics.store(this.#cells, cell, 0);
    return outcome !== 'timed-out';
  }

  /** Clears the state of the thread with this index, which has ended together with its requests. */
  clear(threadIndex: number): void {
    this.#locked(() => {
      for (let index = 0; index < maxLevels; index++) {
        const level = firstLevelCell(this.threads) + index * cellsOfLevel(this.threads);
        if (this.#cells[level + levelCells + threadIndex * cellsPerThread + isUserCell] === 0) continue;
        this.#release(level, threadIndex);
        this.#numbers.fill(
          0,
          (index * this.threads + threadIndex) * numbersPerThread,
          (index * this.threads + threadIndex + 1) * numbersPerThread,
        );
      }
    });
    for (let other = 0; other < this.threads; other++) if (other !== threadIndex) wake(this.#cells, other);
  }

  #find(hash: readonly [number, number]): number | undefined {
    let free: number | undefined;
    for (let index = 0; index < maxLevels; index++) {
      const level = firstLevelCell(this.threads) + index * cellsOfLevel(this.threads);
      if (this.#cells[level + usersCell] === 0) free ??= level;
      else if (this.#cells[level + hashCell] === hash[0] && this.#cells[level + hashCell + 1] === hash[1]) return level;
    }
    return free;
  }

  #release(level: number, threadIndex: number): void {
    const own = level + levelCells + threadIndex * cellsPerThread;
    Atomics.sub(this.#cells, level + seatsCell, Atomics.exchange(this.#cells, own + ownSeatsCell, 0));
    Atomics.sub(this.#cells, level + waitingCell, Atomics.exchange(this.#cells, own + ownWaitingCell, 0));
    this.#cells.fill(0, own, own + cellsPerThread);
    this.#cells[level + usersCell]!--;
  }

  /** Runs the change in one thread at a time. Levels are added and removed rarely. */
  #locked<T>(change: () => T): T {
    const own = this.#threadIndex + 1;
    const since = performance.now();
    for (;;) {
      const holder = Atomics.compareExchange(this.#cells, lockCell, 0, own);
      if (holder === 0) break;
      if (performance.now() - since > lockTimeoutMs) Atomics.compareExchange(this.#cells, lockCell, holder, 0);
      else Atomics.wait(this.#cells, lockCell, holder, 1);
    }
    try {
      return change();
    } finally {
      Atomics.compareExchange(this.#cells, lockCell, own, 0);
      Atomics.notify(this.#cells, lockCell);
    }
  }
}

interface LevelShareOptions {
  readonly cells: Int32Array;
  readonly numbers: Float64Array;
  /** The index of the first cell of the level. */
  readonly level: number;
  readonly index: number;
  readonly threadIndex: number;
  readonly threads: number;
  readonly release: () => void;
}

/**
 * The seats of one level, as one thread sees them. All threads use the same pool of seats. If several threads wait for
 * seats, the one whose queues have had the least work is next.
 */
export class LevelShare implements SharedSeats {
  readonly release: () => void;
  readonly #cells: Int32Array;
  readonly #numbers: Float64Array;
  readonly #threadIndex: number;
  readonly #threads: number;
  readonly #seats: number;
  readonly #waiting: number;
  /** The offsets of the cells and numbers of the first thread. */
  readonly #cellsOfFirst: number;
  readonly #numbersOfFirst: number;
  readonly #own: number;
  #isWaiting = false;

  constructor({ cells, numbers, level, index, threadIndex, threads, release }: LevelShareOptions) {
    this.release = release;
    this.#cells = cells;
    this.#numbers = numbers;
    this.#threadIndex = threadIndex;
    this.#threads = threads;
    this.#seats = level + seatsCell;
    this.#waiting = level + waitingCell;
    this.#cellsOfFirst = level + levelCells;
    this.#numbersOfFirst = index * threads * numbersPerThread;
    this.#own = this.#cellsOfFirst + threadIndex * cellsPerThread;
  }

  get inUse(): number {
    return Atomics.load(this.#cells, this.#seats);
  }

  take(
    seats: number,
    limit: number,
    { waits, isFair }: { readonly waits: boolean; readonly isFair: boolean },
  ): boolean {
    if ((!isFair || !this.#isTurnOfAnother()) && this.#tryTake(seats, limit)) return true;
    if (!waits || this.#isWaiting) return false;
    this.#announceWaiting();
    // Tries again, because seats may have been released before other threads could see that this thread waits.
    return !this.#isTurnOfAnother() && this.#tryTake(seats, limit);
  }

  releaseSeats(seats: number): void {
    Atomics.sub(this.#cells, this.#own + ownSeatsCell, seats);
    Atomics.sub(this.#cells, this.#seats, seats);
    this.wakeNextThread();
  }

  wakeNextThread(): void {
    if (Atomics.load(this.#cells, this.#waiting) === (this.#isWaiting ? 1 : 0)) return;
    const next = this.#leastServed();
    if (next !== undefined) wake(this.#cells, next);
  }

  stopWaiting(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    Atomics.store(this.#cells, this.#own + ownWaitingCell, 0);
    Atomics.sub(this.#cells, this.#waiting, 1);
  }

  work(milliseconds: number): void {
    this.#numbers[this.#number(this.#threadIndex, workNumber)]! += milliseconds;
  }

  wait(queue: number, change: 1 | -1): void {
    if (queue < maxQueues) Atomics.add(this.#cells, this.#own + firstQueueCell + queue, change);
  }

  waitingElsewhere(queue: number): number {
    if (queue >= maxQueues) return 0;
    let sum = 0;
    for (let threadIndex = 0; threadIndex < this.#threads; threadIndex++) {
      if (threadIndex !== this.#threadIndex)
        sum += Atomics.load(this.#cells, this.#cell(threadIndex, firstQueueCell + queue));
    }
    return sum;
  }

  /** Publishes the demand of this thread. Returns the known demand of all threads. */
  demandOfAll({ average, deviation, highest }: DemandObservation): DemandObservation {
    this.#numbers[this.#number(this.#threadIndex, averageNumber)] = average;
    this.#numbers[this.#number(this.#threadIndex, deviationNumber)] = deviation;
    this.#numbers[this.#number(this.#threadIndex, highestNumber)] = highest;
    const all = { average: 0, variance: 0, highest: 0 };
    for (let threadIndex = 0; threadIndex < this.#threads; threadIndex++) {
      all.average += this.#numbers[this.#number(threadIndex, averageNumber)]!;
      all.variance += this.#numbers[this.#number(threadIndex, deviationNumber)]! ** 2;
      all.highest += this.#numbers[this.#number(threadIndex, highestNumber)]!;
    }
    return { average: all.average, deviation: Math.sqrt(all.variance), highest: all.highest };
  }

  #tryTake(seats: number, limit: number): boolean {
    for (;;) {
      const inUse = Atomics.load(this.#cells, this.#seats);
      // A request that is wider than the level runs alone. In a level without seats nothing runs.
      if (seats > limit ? limit === 0 || inUse > 0 : inUse + seats > limit) return false;
      if (Atomics.compareExchange(this.#cells, this.#seats, inUse, inUse + seats) !== inUse) continue;
      Atomics.add(this.#cells, this.#own + ownSeatsCell, seats);
      this.stopWaiting();
      return true;
    }
  }

  #announceWaiting(): void {
    const next = this.#leastServed();
    if (next !== undefined) {
      const least = this.#workOf(next);
      const at = this.#number(this.#threadIndex, workNumber);
      this.#numbers[at] = Math.min(Math.max(this.#numbers[at]!, least), least + maxDebt);
    }
    this.#isWaiting = true;
    Atomics.store(this.#cells, this.#own + ownWaitingCell, 1);
    Atomics.add(this.#cells, this.#waiting, 1);
  }

  #isTurnOfAnother(): boolean {
    if (Atomics.load(this.#cells, this.#waiting) === (this.#isWaiting ? 1 : 0)) return false;
    const next = this.#leastServed();
    return next !== undefined && this.#workOf(next) < this.#workOf(this.#threadIndex);
  }

  /** Returns the waiting thread, other than this one, whose queues have had the least work. */
  #leastServed(): number | undefined {
    let least: number | undefined;
    for (let threadIndex = 0; threadIndex < this.#threads; threadIndex++) {
      if (threadIndex === this.#threadIndex || Atomics.load(this.#cells, this.#cell(threadIndex, ownWaitingCell)) === 0)
        continue;
      if (least === undefined || this.#workOf(threadIndex) < this.#workOf(least)) least = threadIndex;
    }
    return least;
  }

  #workOf(threadIndex: number): number {
    return this.#numbers[this.#number(threadIndex, workNumber)]!;
  }

  #cell(threadIndex: number, cell: number): number {
    return this.#cellsOfFirst + threadIndex * cellsPerThread + cell;
  }

  #number(threadIndex: number, number: number): number {
    return this.#numbersOfFirst + threadIndex * numbersPerThread + number;
  }
}

/** How long a thread leaves available seats to the thread that is next, in milliseconds. */
const fairnessTimeoutMs = 20;

function wake(cells: Int32Array, threadIndex: number): void {
  const cell = firstWakeCell + threadIndex;
  if (Atomics.exchange(cells, cell, 1) === 0) Atomics.notify(cells, cell);
}

function firstLevelCell(threads: number): number {
  return firstWakeCell + threads;
}

function cellsOfLevel(threads: number): number {
  return levelCells + threads * cellsPerThread;
}

function numbersFor(threads: number): number {
  return maxLevels * threads * numbersPerThread;
}

function bytesFor(threads: number): number {
  const cells = firstLevelCell(threads) + maxLevels * cellsOfLevel(threads);
  return numbersFor(threads) * Float64Array.BYTES_PER_ELEMENT + cells * Int32Array.BYTES_PER_ELEMENT;
}

/** The size of the memory is proportional to the number of threads. */
function threadsOf({ byteLength }: SharedArrayBuffer): number {
  return (byteLength - bytesFor(0)) / (bytesFor(1) - bytesFor(0));
}
