/** A request in a queue. Waiting requests are linked. */
export interface QueueEntry<R> {
  readonly seats: number;
  /** In milliseconds. Undefined while the request waits. */
  readonly startedAt: number | undefined;
  previous: R | undefined;
  next: R | undefined;
}

/**
 * One queue of a queue set: its waiting requests in the order of their arrival, and the work of its running requests.
 */
export class FairQueue<R extends QueueEntry<R>> {
  readonly index: number;
  /** The virtual time at which its next request starts: its work so far, in seat-milliseconds. */
  nextStart = 0;
  length = 0;
  executing = 0;
  seatsWaiting = 0;
  seatsInUse = 0;
  /** The sum over all running requests of their seats times their start time. */
  #startedSeats = 0;
  #first: R | undefined = undefined;
  #last: R | undefined = undefined;

  constructor(index: number) {
    this.index = index;
  }

  get first(): R | undefined {
    return this.#first;
  }

  get isActive(): boolean {
    return this.length > 0 || this.executing > 0;
  }

  add(request: R): void {
    request.previous = this.#last;
    if (this.#last === undefined) this.#first = request;
    else this.#last.next = request;
    this.#last = request;
    this.length++;
    this.seatsWaiting += request.seats;
  }

  remove(request: R): void {
    const { previous, next } = request;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    request.previous = undefined;
    request.next = undefined;
    this.length--;
    this.seatsWaiting -= request.seats;
  }

  begin({ seats }: R, now: number): void {
    this.executing++;
    this.seatsInUse += seats;
    this.#startedSeats += seats * now;
  }

  end({ seats, startedAt }: R): void {
    this.executing--;
    this.seatsInUse -= seats;
    this.#startedSeats = this.executing === 0 ? 0 : this.#startedSeats - seats * startedAt!;
  }

  /** The work of the running requests until now. */
  workInProgress(now: number): number {
    return this.seatsInUse * now - this.#startedSeats;
  }

  /** The waiting requests in order. */
  *[Symbol.iterator](): Generator<R> {
    for (let request = this.#first; request !== undefined; request = request.next) yield request;
  }
}
