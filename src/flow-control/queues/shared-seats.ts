/** The seats of a queue set that the queue sets of other threads use, too. */
export interface SharedSeats {
  /** Those that all threads use. */
  readonly inUse: number;
  /**
   * Takes seats, if so many are free. Unless it is not `patient`, it leaves them to a thread that waits and has had less.
   * One that `waits` is woken when it is its turn.
   */
  take(seats: number, limit: number, options: { readonly waits: boolean; readonly patient: boolean }): boolean;
  give(seats: number): void;
  /** There may be seats left for the others. */
  passOn(): void;
  /** This thread no longer waits for seats. */
  rest(): void;
  /** The queues of this thread have had so much work each, in seat-milliseconds. */
  work(milliseconds: number): void;
  /** A request begins or ends to wait in the queue. */
  wait(queue: number, change: 1 | -1): void;
  /** How many requests of other threads wait in the queue. */
  waitingElsewhere(queue: number): number;
}
