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
const placeCells = firstQueueCell + maxQueues;
// The floating-point numbers per thread and level: its work so far, and its demand.
const workNumber = 0;
const averageNumber = 1;
const deviationNumber = 2;
const highestNumber = 3;
const placeNumbers = 4;

/**
 * The seats of all priority levels, in memory that the threads of a server share. Each thread has an index. A level is
 * identified by its name and allocated by the first thread that uses it.
 */
export class LevelSeats {
  readonly memory: SharedArrayBuffer;
  readonly threads: number;
  readonly #place: number;
  readonly #cells: Int32Array;
  readonly #numbers: Float64Array;

  constructor(memory: SharedArrayBuffer, place: number) {
    const threads = threadsOf(memory);
    this.memory = memory;
    this.threads = threads;
    this.#place = place;
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
      this.#cells[level + levelCells + this.#place * placeCells + isUserCell] = 1;
      return new LevelShare({
        cells: this.#cells,
        numbers: this.#numbers,
        level,
        index: (level - firstLevelCell(this.threads)) / cellsOfLevel(this.threads),
        place: this.#place,
        threads: this.threads,
        release: () => this.#locked(() => this.#release(level, this.#place)),
      });
    });
  }

  /** Resolves when seats may be available: with true if a thread has reported it, with false after a timeout. */
  async woken(): Promise<boolean> {
    const cell = firstWakeCell + this.#place;
    const waited = Atomics.waitAsync(this.#cells, cell, 0, fairnessTimeoutMs);
    const outcome = waited.async ? await waited.value : waited.value;
    Atomics.store(this.#cells, cell, 0);
    return outcome !== 'timed-out';
  }

  /** Clears the state of the thread with this index, which has ended together with its requests. */
  clear(place: number): void {
    this.#locked(() => {
      for (let index = 0; index < maxLevels; index++) {
        const level = firstLevelCell(this.threads) + index * cellsOfLevel(this.threads);
        if (this.#cells[level + levelCells + place * placeCells + isUserCell] === 0) continue;
        this.#release(level, place);
        this.#numbers.fill(
          0,
          (index * this.threads + place) * placeNumbers,
          (index * this.threads + place + 1) * placeNumbers,
        );
      }
    });
    for (let other = 0; other < this.threads; other++) if (other !== place) wake(this.#cells, other);
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

  #release(level: number, place: number): void {
    const own = level + levelCells + place * placeCells;
    Atomics.sub(this.#cells, level + seatsCell, Atomics.exchange(this.#cells, own + ownSeatsCell, 0));
    Atomics.sub(this.#cells, level + waitingCell, Atomics.exchange(this.#cells, own + ownWaitingCell, 0));
    this.#cells.fill(0, own, own + placeCells);
    this.#cells[level + usersCell]!--;
  }

  /** Runs the change in one thread at a time. Levels are added and removed rarely. */
  #locked<T>(change: () => T): T {
    const own = this.#place + 1;
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
  readonly place: number;
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
  readonly #place: number;
  readonly #threads: number;
  readonly #seats: number;
  readonly #waiting: number;
  /** The offsets of the cells and numbers of the first thread. */
  readonly #cellsOfFirst: number;
  readonly #numbersOfFirst: number;
  readonly #own: number;
  #isWaiting = false;

  constructor({ cells, numbers, level, index, place, threads, release }: LevelShareOptions) {
    this.release = release;
    this.#cells = cells;
    this.#numbers = numbers;
    this.#place = place;
    this.#threads = threads;
    this.#seats = level + seatsCell;
    this.#waiting = level + waitingCell;
    this.#cellsOfFirst = level + levelCells;
    this.#numbersOfFirst = index * threads * placeNumbers;
    this.#own = this.#cellsOfFirst + place * placeCells;
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
    this.passOn();
  }

  passOn(): void {
    if (Atomics.load(this.#cells, this.#waiting) === (this.#isWaiting ? 1 : 0)) return;
    const next = this.#leastServed();
    if (next !== undefined) wake(this.#cells, next);
  }

  rest(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    Atomics.store(this.#cells, this.#own + ownWaitingCell, 0);
    Atomics.sub(this.#cells, this.#waiting, 1);
  }

  work(milliseconds: number): void {
    this.#numbers[this.#number(this.#place, workNumber)]! += milliseconds;
  }

  wait(queue: number, change: 1 | -1): void {
    if (queue < maxQueues) Atomics.add(this.#cells, this.#own + firstQueueCell + queue, change);
  }

  waitingElsewhere(queue: number): number {
    if (queue >= maxQueues) return 0;
    let sum = 0;
    for (let place = 0; place < this.#threads; place++) {
      if (place !== this.#place) sum += Atomics.load(this.#cells, this.#cell(place, firstQueueCell + queue));
    }
    return sum;
  }

  /** Publishes the demand of this thread. Returns the known demand of all threads. */
  demandOfAll({ average, deviation, highest }: DemandObservation): DemandObservation {
    this.#numbers[this.#number(this.#place, averageNumber)] = average;
    this.#numbers[this.#number(this.#place, deviationNumber)] = deviation;
    this.#numbers[this.#number(this.#place, highestNumber)] = highest;
    const all = { average: 0, variance: 0, highest: 0 };
    for (let place = 0; place < this.#threads; place++) {
      all.average += this.#numbers[this.#number(place, averageNumber)]!;
      all.variance += this.#numbers[this.#number(place, deviationNumber)]! ** 2;
      all.highest += this.#numbers[this.#number(place, highestNumber)]!;
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
      this.rest();
      return true;
    }
  }

  #announceWaiting(): void {
    const others = this.#leastServed();
    if (others !== undefined) {
      const least = this.#workOf(others);
      const at = this.#number(this.#place, workNumber);
      this.#numbers[at] = Math.min(Math.max(this.#numbers[at]!, least), least + maxDebt);
    }
    this.#isWaiting = true;
    Atomics.store(this.#cells, this.#own + ownWaitingCell, 1);
    Atomics.add(this.#cells, this.#waiting, 1);
  }

  #isTurnOfAnother(): boolean {
    if (Atomics.load(this.#cells, this.#waiting) === (this.#isWaiting ? 1 : 0)) return false;
    const next = this.#leastServed();
    return next !== undefined && this.#workOf(next) < this.#workOf(this.#place);
  }

  /** Returns the waiting thread, other than this one, whose queues have had the least work. */
  #leastServed(): number | undefined {
    let least: number | undefined;
    for (let place = 0; place < this.#threads; place++) {
      if (place === this.#place || Atomics.load(this.#cells, this.#cell(place, ownWaitingCell)) === 0) continue;
      if (least === undefined || this.#workOf(place) < this.#workOf(least)) least = place;
    }
    return least;
  }

  #workOf(place: number): number {
    return this.#numbers[this.#number(place, workNumber)]!;
  }

  #cell(place: number, cell: number): number {
    return this.#cellsOfFirst + place * placeCells + cell;
  }

  #number(place: number, number: number): number {
    return this.#numbersOfFirst + place * placeNumbers + number;
  }
}

/** How long a thread leaves available seats to the thread that is next, in milliseconds. */
const fairnessTimeoutMs = 20;

function wake(cells: Int32Array, place: number): void {
  const cell = firstWakeCell + place;
  if (Atomics.exchange(cells, cell, 1) === 0) Atomics.notify(cells, cell);
}

function firstLevelCell(threads: number): number {
  return firstWakeCell + threads;
}

function cellsOfLevel(threads: number): number {
  return levelCells + threads * placeCells;
}

function numbersFor(threads: number): number {
  return maxLevels * threads * placeNumbers;
}

function bytesFor(threads: number): number {
  const cells = firstLevelCell(threads) + maxLevels * cellsOfLevel(threads);
  return numbersFor(threads) * Float64Array.BYTES_PER_ELEMENT + cells * Int32Array.BYTES_PER_ELEMENT;
}

/** The size of the memory is proportional to the number of threads. */
function threadsOf({ byteLength }: SharedArrayBuffer): number {
  return (byteLength - bytesFor(0)) / (bytesFor(1) - bytesFor(0));
}
