import type { FairQueue, QueueEntry } from './fair-queue.ts';
import type { Flow } from './flow.ts';

export type RequestQueue = FairQueue<FairRequest>;
export type RequestFlow = Flow<RequestQueue>;

export interface FairRequestOptions {
  readonly flow: RequestFlow;
  /** The number of seats that the request takes while it runs. */
  readonly seats: number;
  /** Whether the request takes its seats because it keeps the event loop busy. Such requests may not take all seats. */
  readonly isWide?: boolean;
  readonly onStart?: () => void;
}

/** A request in a queue set. Only the queue set modifies it. */
export class FairRequest implements QueueEntry<FairRequest> {
  readonly flow: RequestFlow;
  readonly seats: number;
  readonly isWide: boolean;
  /** Called when a request that had to wait may run. */
  onStart: (() => void) | undefined;
  /** The arrival and start times, in milliseconds of the clock of the queue set. */
  arrivedAt = 0;
  /** The virtual time of the arrival. */
  arrivedAtWork = 0;
  startedAt: number | undefined = undefined;
  /** Undefined in a level that does not queue. */
  queue: RequestQueue | undefined = undefined;
  /** The neighbours in the queue. */
  previous: FairRequest | undefined = undefined;
  next: FairRequest | undefined = undefined;

  constructor({ flow, seats, isWide = false, onStart }: FairRequestOptions) {
    this.flow = flow;
    this.seats = seats;
    this.isWide = isWide;
    this.onStart = onStart;
  }
}
