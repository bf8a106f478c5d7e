/** The seats of a queue set that the queue sets of other threads use, too. */
export interface SharedSeats {
  /** Those that all threads use. */
  readonly inUse: number;
  /**
   * Takes seats, if they are free. If `isFair`, they are left to a waiting thread with less work. If it `waits`, it is
   * woken when it is next.
   */
  take(seats: number, limit: number, options: { readonly waits: boolean; readonly isFair: boolean }): boolean;
  give(seats: number): void;
  /** There may be seats left for the others. */
  passOn(): void;
  /** This thread no longer waits for seats. */
  rest(): void;
  /** Records the work of each queue of this thread, in seat-milliseconds. */
  work(milliseconds: number): void;
  /** A request begins or ends to wait in the queue. */
  wait(queue: number, change: 1 | -1): void;
  /** How many requests of other threads wait in the queue. */
  waitingElsewhere(queue: number): number;
}
