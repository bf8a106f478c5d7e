/** The seats of a queue set that queue sets of other threads also use. */
export interface SharedSeats {
  /** The number of seats that all threads use. */
  readonly inUse: number;
  /**
   * Takes seats if they are available. If `isFair`, they are left to a waiting thread with less work. If `waits`, this
   * thread is woken when it is next.
   */
  take(seats: number, limit: number, options: { readonly waits: boolean; readonly isFair: boolean }): boolean;
  releaseSeats(seats: number): void;
  /** Wakes the thread that is next, because seats may be left. */
  wakeNextThread(): void;
  /** Records that this thread no longer waits for seats. */
  stopWaiting(): void;
  /** Records the work of each queue of this thread, in seat-milliseconds. */
  work(milliseconds: number): void;
  /** Records that a request starts (1) or stops (-1) to wait in the queue. */
  wait(queue: number, change: 1 | -1): void;
  /** The number of requests of other threads that wait in the queue. */
  waitingElsewhere(queue: number): number;
}
