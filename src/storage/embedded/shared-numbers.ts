/** The maximum number of threads that use a store at the same time. */
export const maxClients = 64;

const revisionCell = 0;
const compactedCell = 1;
const firstClientCell = 2;
const cellsPerClient = 3;
const pinnedCell = 0;
const deliveredCell = 1;
const previousCell = 2;
/** The value of an unused slot, or of one without a pin. */
const none = -1n;

/** State that the threads of a store share in memory, without messages. Every thread has its own slot. */
export class SharedNumbers {
  readonly memory: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#cells = new BigInt64Array(memory);
  }

  static create(): SharedNumbers {
    const cells = firstClientCell + maxClients * cellsPerClient;
    const numbers = new SharedNumbers(new SharedArrayBuffer(cells * BigInt64Array.BYTES_PER_ELEMENT));
    for (let slot = 0; slot < maxClients; slot += 1) numbers.vacate(slot);
    return numbers;
  }

  /** The latest revision. Its events have been sent to all threads. */
  get revision(): number {
    return Number(Atomics.load(this.#cells, revisionCell));
  }

  set revision(revision: number) {
    Atomics.store(this.#cells, revisionCell, BigInt(revision));
  }

  get compacted(): number {
    return Number(Atomics.load(this.#cells, compactedCell));
  }

  set compacted(revision: number) {
    Atomics.store(this.#cells, compactedCell, BigInt(revision));
  }

  /** Marks the slot as unused: the thread has nothing pinned and receives no events. */
  vacate(slot: number): void {
    Atomics.store(this.#cells, at(slot, pinnedCell), none);
    Atomics.store(this.#cells, at(slot, deliveredCell), none);
    Atomics.store(this.#cells, at(slot, previousCell), 0n);
  }

  /** Whether the storage thread has handled everything that the thread in this slot has sent. */
  isVacant(slot: number): boolean {
    return Atomics.load(this.#cells, at(slot, deliveredCell)) === none;
  }

  /** Records that the thread needs the history from this revision on. The thread must check `compacted` afterwards. */
  pin(slot: number, revision: number | undefined): void {
    Atomics.store(this.#cells, at(slot, pinnedCell), revision === undefined ? none : BigInt(revision));
  }

  /** Whether any thread needs history from below the revision. */
  isPinnedBelow(revision: number): boolean {
    for (let slot = 0; slot < maxClients; slot += 1) {
      const pinned = Atomics.load(this.#cells, at(slot, pinnedCell));
      if (pinned !== none && Number(pinned) < revision) return true;
    }
    return false;
  }

  deliver(slot: number, revision: number): void {
    Atomics.store(this.#cells, at(slot, deliveredCell), BigInt(revision));
  }

  /** The revision that all threads have delivered to their watchers; undefined without any thread. */
  deliveredByAll(): number | undefined {
    let lowest: number | undefined;
    for (let slot = 0; slot < maxClients; slot += 1) {
      const delivered = Atomics.load(this.#cells, at(slot, deliveredCell));
      if (delivered !== none && (lowest === undefined || delivered < lowest)) lowest = Number(delivered);
    }
    return lowest;
  }

  /** The number of watchers of the thread that need the previous entry of each event. */
  wantPrevious(slot: number, change: 1 | -1): void {
    Atomics.add(this.#cells, at(slot, previousCell), BigInt(change));
  }

  get isPreviousWanted(): boolean {
    for (let slot = 0; slot < maxClients; slot += 1) {
      if (Atomics.load(this.#cells, at(slot, previousCell)) > 0n) return true;
    }
    return false;
  }
}

function at(slot: number, cell: number): number {
  return firstClientCell + slot * cellsPerClient + cell;
}
