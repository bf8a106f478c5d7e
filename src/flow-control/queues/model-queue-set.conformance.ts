import type { Queuing, SeatLimits } from './queue-set.ts';

interface ModelRequest {
  readonly id: number;
  /** The queues that it may wait in. */
  readonly hand: readonly number[];
  readonly seats: number;
}

interface Entry extends ModelRequest {
  readonly queue: number;
  /** The virtual time of its arrival. */
  readonly arrived: number;
  started: number | undefined;
}

const expectedMs = 3;

/**
 * Fair queuing in the simplest way: one list of requests and one number for each queue. Everything else is computed
 * from them whenever it is needed.
 */
export class ModelQueueSet {
  readonly started: number[] = [];
  readonly #queuing: Queuing;
  readonly #next = new Map<number, number>();
  #limits: SeatLimits;
  #entries: Entry[] = [];
  #order: number[] = [];
  #arrivals = 0;
  #virtual = 0;
  #at = 0;

  constructor(queuing: Queuing, limits: SeatLimits) {
    this.#queuing = queuing;
    this.#limits = limits;
  }

  get waiting(): number[] {
    return this.#entries.filter(({ started }) => started === undefined).map(({ id }) => id);
  }

  get running(): number[] {
    return this.#entries.filter(({ started }) => started !== undefined).map(({ id }) => id);
  }

  get seatsInUse(): number {
    return seatsOf(this.#entries.filter(({ started }) => started !== undefined));
  }

  limit(limits: SeatLimits, now: number): void {
    this.#pass(now);
    this.#limits = limits;
    this.#start(now);
  }

  arrive(request: ModelRequest, now: number): string {
    this.#pass(now);
    const offset = this.#arrivals++ % request.hand.length;
    const hand = [...request.hand.slice(offset), ...request.hand.slice(0, offset)];
    const length = (queue: number): number => seatsOf(this.#waitingIn(queue));
    const queue = hand.reduce((best, other) => (length(other) < length(best) ? other : best));
    const isFull = this.#waitingIn(queue).length >= this.#queuing.queueLengthLimit;
    if (this.seatsInUse >= this.#limits.seats && isFull) return 'queue-full';
    if (!this.#entries.some((entry) => entry.queue === queue)) this.#next.set(queue, this.#virtual);
    // Queues with the same time are served in the order in which they began to have waiting requests.
    if (this.#waitingIn(queue).length === 0) this.#order = [...this.#order.filter((other) => other !== queue), queue];
    this.#entries.push({ ...request, queue, arrived: this.#virtual, started: undefined });
    this.#start(now);
    return this.running.includes(request.id) ? 'started' : 'waiting';
  }

  /** Ends a running request, or removes a waiting one. */
  end(id: number, now: number): void {
    this.#pass(now);
    const entry = this.#entries.find((other) => other.id === id)!;
    this.#entries = this.#entries.filter((other) => other !== entry);
    if (entry.started !== undefined) {
      const { queue, seats, started } = entry;
      this.#next.set(queue, this.#next.get(queue)! + seats * (now - started - expectedMs));
      this.#bound(queue);
    }
    this.#start(now);
  }

  #start(now: number): void {
    while (this.seatsInUse < this.#limits.seats) {
      const firsts = this.#order.flatMap((queue) => this.#waitingIn(queue).slice(0, 1));
      const narrow = firsts.filter(({ seats }) => !this.#isTooWide(seats));
      const next = narrow.toSorted((a, b) => this.#endOf(a, now) - this.#endOf(b, now))[0];
      if (next === undefined || !this.#fits(next)) return;
      next.started = now;
      this.started.push(next.id);
      this.#next.set(next.queue, this.#next.get(next.queue)! + next.seats * expectedMs);
      this.#bound(next.queue);
    }
  }

  #endOf({ queue, seats }: Entry, now: number): number {
    const running = this.#entries.filter((entry) => entry.queue === queue && entry.started !== undefined);
    const work = running.reduce((sum, entry) => sum + entry.seats * (now - entry.started! - expectedMs), 0);
    return this.#next.get(queue)! + Math.max(0, work) + seats * expectedMs;
  }

  #fits({ seats }: Entry): boolean {
    if (seats > this.#limits.seats) return this.running.length === 0;
    return this.seatsInUse + seats <= this.#limits.seats;
  }

  #isTooWide(seats: number): boolean {
    const wide = seatsOf(this.#entries.filter((entry) => entry.started !== undefined && entry.seats > 1));
    return seats > 1 && wide > 0 && wide + seats > this.#limits.wideSeats;
  }

  #bound(queue: number): void {
    const [first] = this.#waitingIn(queue);
    if (first !== undefined) this.#next.set(queue, Math.max(this.#next.get(queue)!, first.arrived));
  }

  #pass(now: number): void {
    const active = new Set(this.#entries.map(({ queue }) => queue)).size;
    if (active > 0) this.#virtual += ((now - this.#at) * this.seatsInUse) / active;
    this.#at = now;
  }

  #waitingIn(queue: number): Entry[] {
    return this.#entries.filter((entry) => entry.queue === queue && entry.started === undefined);
  }
}

function seatsOf(entries: readonly { readonly seats: number }[]): number {
  return entries.reduce((sum, { seats }) => sum + seats, 0);
}
