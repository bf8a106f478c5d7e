const kinds = 2;

/** The kind of request that is counted. */
export const readOnly = 0;
export const mutating = 1;
export type RequestKind = typeof readOnly | typeof mutating;

/**
 * The running requests of all threads of a server, because the limits apply to the whole server. Each thread has its
 * own element.
 */
export class InFlightCounts {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;
  readonly #threadIndex: number;

  constructor(memory: SharedArrayBuffer, threadIndex: number) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
    this.#threadIndex = threadIndex;
  }

  /** Creates the counts for this number of threads. Called by the first thread. */
  static create(threads: number): InFlightCounts {
    return new InFlightCounts(new SharedArrayBuffer(threads * kinds * Int32Array.BYTES_PER_ELEMENT), 0);
  }

  /** Counts a request, unless the limit is reached. */
  enter(kind: RequestKind, limit: number): boolean {
    const cell = this.#threadIndex * kinds + kind;
    Atomics.add(this.#cells, cell, 1);
    // The count is checked after it was incremented: of two threads that do this at the same time, at most one is
    // admitted.
    let all = 0;
    for (let at: number = kind; at < this.#cells.length; at += kinds) all += Atomics.load(this.#cells, at);
    if (all <= limit) return true;
    Atomics.sub(this.#cells, cell, 1);
    return false;
  }

  leave(kind: RequestKind): void {
    Atomics.sub(this.#cells, this.#threadIndex * kinds + kind, 1);
  }

  /** Clears the counts of the thread with this index, which has ended together with its requests. */
  clear(threadIndex: number): void {
    for (let kind = 0; kind < kinds; kind++) Atomics.store(this.#cells, threadIndex * kinds + kind, 0);
  }
}
