import { FairQueue } from './fair-queue.ts';
import type { FairRequest, RequestFlow, RequestQueue } from './fair-request.ts';
import { SeatDemand } from './seat-demand.ts';
import type { SharedSeats } from './shared-seats.ts';
import { deal } from './shuffle-sharding.ts';

/** The configuration of the queues. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export interface SeatLimits {
  /** The seats of all running requests. */
  readonly seats: number;
  /** The maximum number of seats of running wide requests. The other seats are reserved for small requests. */
  readonly wideSeats: number;
}

export interface QueueSetOptions {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Whether no request may start at the moment. `dispatchOne` is called later. */
  readonly isPaused?: () => boolean;
  /** Set if other threads use the same seats. */
  readonly shared?: SharedSeats | undefined;
}

/** The result for an arriving request: it runs, it waits, or it is rejected with a reason. */
export type ArrivalResult = 'started' | 'waiting' | Refusal;
export type Refusal = 'queue-full' | 'concurrency-limit';

/** The assumed duration of a request until its end, in milliseconds. */
const expectedMs = 3;
type TakeOptions = Parameters<SharedSeats['take']>[2];
const atOnce: TakeOptions = { waits: false, isFair: true };
const inTurn: TakeOptions = { waits: true, isFair: true };
const outOfTurn: TakeOptions = { waits: true, isFair: false };
/** Queues are created with their first request. Idle queues are removed when there are more than this number. */
const maxIdleQueues = 4096;

/**
 * The seats of a priority level and the queues before them. Seats are shared among the queues that have requests, not
 * among the requests: each queue has a virtual time that advances by the work (seats times duration) of its requests,
 * and the request that would end first by that time is the next to run. A queue that becomes active starts at the
 * present virtual time, at which all active queues would have had the same share.
 */
export class QueueSet {
  readonly demand: SeatDemand;
  readonly #now: () => number;
  readonly #isPaused: () => boolean;
  readonly #shared: SharedSeats | undefined;
  #limits: SeatLimits = { seats: 0, wideSeats: 0 };
  /** Undefined when requests are rejected instead of queued. */
  #queuing: Queuing | undefined;
  /** Identifies the set of queues from which hands were dealt. */
  #deck: object = {};
  readonly #queues = new Map<number, RequestQueue>();
  /** The queues with waiting requests. */
  readonly #backlogged = new Set<RequestQueue>();
  #virtualTime = 0;
  #syncedAt: number;
  #activeQueues = 0;
  #arrivals = 0;
  #waiting = 0;
  #executing = 0;
  #seatsWaiting = 0;
  #seatsInUse = 0;
  #wideSeatsInUse = 0;
  #isDispatching = false;

  constructor({ now, isPaused = () => false, shared }: QueueSetOptions) {
    this.#now = now;
    this.#isPaused = isPaused;
    this.#shared = shared;
    this.#syncedAt = now();
    this.demand = new SeatDemand(this.#syncedAt);
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get seatsWaiting(): number {
    return this.#seatsWaiting;
  }

  get limits(): SeatLimits {
    return this.#limits;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  get queuing(): Queuing | undefined {
    return this.#queuing;
  }

  get activeQueues(): number {
    return this.#activeQueues;
  }

  /** The queues that have been used, in no order. */
  get queues(): Iterable<RequestQueue> {
    return new Set([...this.#queues.values(), ...this.#backlogged]);
  }

  /** Changes the configuration. Waiting requests stay in their queues. */
  configure(queuing: Queuing | undefined): void {
    const { queues, handSize } = this.#queuing ?? {};
    this.#queuing = queuing;
    if (queuing?.queues !== queues || queuing?.handSize !== handSize) this.#shuffle();
  }

  limit(limits: SeatLimits): void {
    if (limits.seats === this.#limits.seats && limits.wideSeats === this.#limits.wideSeats) return;
    this.#sync(this.#now());
    this.#limits = limits;
    this.#dispatch();
  }

  /**
   * Whether a request of one seat would be the only one and may start. It can then run before it is registered: most
   * requests are answered synchronously, and only `recordFinished` is called for them. Other requests must `join`.
   */
  tryStartIdle(): boolean {
    if (this.#executing > 0 || this.#waiting > 0 || this.#limits.seats === 0 || this.#isPaused()) return false;
    return this.#shared === undefined || this.#shared.take(1, this.#limits.seats, atOnce);
  }

  /** Records a request of one seat that started in the idle set and has already ended. */
  recordFinished(startedAt: number, endedAt: number): void {
    this.#shared?.releaseSeats(1);
    this.demand.recordFinished(startedAt, endedAt);
  }

  /** Registers a request of one seat that started in the idle set and continues asynchronously. */
  join(request: FairRequest, startedAt: number): void {
    request.arrivedAt = startedAt;
    if (this.#queuing !== undefined) {
      this.#sync(startedAt);
      this.#enter(this.#shortest(this.#hand(request.flow, this.#queuing)), request);
    }
    this.demand.change(request.seats, startedAt);
    this.#begin(request, startedAt);
  }

  /** Does not call `onStart` for a request whose start it returns. */
  arrive(request: FairRequest): ArrivalResult {
    const now = this.#now();
    request.arrivedAt = now;
    if (this.#queuing === undefined) {
      if (!this.#take(request, atOnce)) return 'concurrency-limit';
      this.#begin(request, now);
      this.demand.change(request.seats, now);
      return 'started';
    }
    this.#sync(now);
    const queue = this.#shortest(this.#hand(request.flow, this.#queuing));
    if (this.#isFull && this.#lengthOf(queue) >= this.#queuing.queueLengthLimit) return 'queue-full';
    this.demand.change(request.seats, now);
    this.#enter(queue, request);
    if (this.#waiting === 0 && !this.#isPaused() && this.#take(request, atOnce)) {
      this.#begin(request, now);
      return 'started';
    }
    queue.add(request);
    this.#shared?.wait(queue.index, 1);
    this.#backlogged.add(queue);
    this.#waiting++;
    this.#seatsWaiting += request.seats;
    this.#dispatch(request);
    return request.startedAt === undefined ? 'waiting' : 'started';
  }

  /** Ends a request that has started. Returns how long it ran. */
  finish(request: FairRequest): number {
    const now = this.#now();
    const { queue, seats, isWide } = request;
    const duration = now - request.startedAt!;
    // The request has used its seats until now.
    this.#sync(now);
    this.#executing--;
    this.#seatsInUse -= seats;
    if (isWide) this.#wideSeatsInUse -= seats;
    this.demand.change(-seats, now);
    if (queue !== undefined) {
      queue.end(request);
      queue.nextStart += seats * (duration - expectedMs);
      this.#bound(queue);
      this.#shared?.work((seats * (duration - expectedMs)) / this.#activeQueues);
      if (!queue.isActive) this.#activeQueues--;
    }
    this.#shared?.releaseSeats(seats);
    if (this.#waiting > 0) this.#dispatch();
    return duration;
  }

  /** Removes a request that waits. Returns false when it has already started. */
  cancel(request: FairRequest): boolean {
    if (request.startedAt !== undefined) return false;
    const now = this.#now();
    this.#sync(now);
    this.#leave(request.queue!, request);
    this.demand.change(-request.seats, now);
    if (!request.queue!.isActive) this.#activeQueues--;
    this.#shared?.wakeNextThread();
    this.#dispatch();
    return true;
  }

  /** Starts the request that is next, even if the set is paused. Returns false when no request can start. */
  dispatchOne(): boolean {
    const now = this.#now();
    this.#sync(now);
    const request = this.#startNext(now, inTurn);
    request?.onStart?.();
    return request !== undefined;
  }

  /**
   * Starts requests after other threads have released seats. Unless `isFair`, seats are no longer left to the threads
   * that are next.
   */
  dispatchShared({ isFair }: { readonly isFair: boolean }): void {
    if (this.#waiting === 0) return;
    this.#sync(this.#now());
    this.#dispatch(undefined, isFair ? inTurn : outOfTurn);
  }

  #dispatch(arriving?: FairRequest, how: TakeOptions = inTurn): void {
    // A request that ends synchronously calls this again.
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    try {
      while (this.#waiting > 0 && (this.#shared !== undefined || !this.#isFull) && !this.#isPaused()) {
        const request = this.#startNext(this.#now(), how);
        if (request === undefined) return;
        if (request !== arriving) request.onStart?.();
      }
    } finally {
      this.#isDispatching = false;
    }
  }

  #startNext(now: number, how: TakeOptions): FairRequest | undefined {
    const queue = this.#nextQueue(now);
    const request = queue?.first;
    if (queue === undefined || request === undefined || !this.#take(request, how)) return undefined;
    this.#leave(queue, request);
    this.#begin(request, now);
    this.#bound(queue);
    this.#shared?.wakeNextThread();
    return request;
  }

  get #isFull(): boolean {
    return (this.#shared?.inUse ?? this.#seatsInUse) >= this.#limits.seats;
  }

  #lengthOf({ index, length }: RequestQueue): number {
    return this.#shared === undefined ? length : length + this.#shared.waitingElsewhere(index);
  }

  /**
   * The queue whose first request would end first. When that request does not fit, no other request starts, so that
   * small requests cannot starve it. A request that waits only for seats which small requests do not use does not block
   * them.
   */
  #nextQueue(now: number): RequestQueue | undefined {
    let next: RequestQueue | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const queue of this.#backlogged) {
      const first = queue.first!;
      if (this.#isTooWide(first)) continue;
      const end = queue.nextStart + overrun(queue, now) + first.seats * expectedMs;
      if (end < earliest) {
        earliest = end;
        next = queue;
      }
    }
    return next;
  }

  /** Takes seats for the request. Returns true if it may start. */
  #take(request: FairRequest, how: TakeOptions): boolean {
    if (this.#isTooWide(request)) return false;
    const { seats } = request;
    const { seats: limit } = this.#limits;
    if (this.#shared !== undefined) return this.#shared.take(seats, limit, how);
    // A request that is wider than the level runs alone. In a level without seats nothing runs.
    return seats > limit ? limit > 0 && this.#executing === 0 : this.#seatsInUse + seats <= limit;
  }

  #isTooWide({ isWide, seats }: FairRequest): boolean {
    return isWide && this.#wideSeatsInUse > 0 && this.#wideSeatsInUse + seats > this.#limits.wideSeats;
  }

  #enter(queue: RequestQueue, request: FairRequest): void {
    request.queue = queue;
    request.arrivedAtWork = this.#virtualTime;
    if (queue.isActive) return;
    this.#activeQueues++;
    queue.nextStart = this.#virtualTime;
  }

  #begin(request: FairRequest, now: number): void {
    const { queue, seats, isWide } = request;
    request.startedAt = now;
    this.#executing++;
    this.#seatsInUse += seats;
    if (isWide) this.#wideSeatsInUse += seats;
    if (queue === undefined) return;
    queue.begin(request, now);
    queue.nextStart += seats * expectedMs;
    this.#shared?.work((seats * expectedMs) / this.#activeQueues);
  }

  #leave(queue: RequestQueue, request: FairRequest): void {
    queue.remove(request);
    if (queue.length === 0) this.#backlogged.delete(queue);
    this.#waiting--;
    this.#seatsWaiting -= request.seats;
    if (this.#shared === undefined) return;
    this.#shared.wait(queue.index, -1);
    if (this.#waiting === 0) this.#shared.stopWaiting();
  }

  /** A queue gets no credit for the time before its first request arrived. */
  #bound(queue: RequestQueue): void {
    const { first } = queue;
    if (first !== undefined && queue.nextStart < first.arrivedAtWork) queue.nextStart = first.arrivedAtWork;
  }

  /**
   * Advances the virtual time by the share of the seats that each active queue got. Seats that are free although
   * requests wait, for another turn of the event loop or for another thread, do not count: otherwise queues that become
   * active would start too late.
   */
  #sync(now: number): void {
    if (this.#activeQueues > 0) {
      this.#virtualTime += ((now - this.#syncedAt) * this.#seatsInUse) / this.#activeQueues;
    }
    this.#syncedAt = now;
  }

  #shortest(hand: readonly RequestQueue[]): RequestQueue {
    // A different start each time spreads a flow over its queues while all are empty.
    const offset = this.#arrivals++ % hand.length;
    let shortest = hand[offset]!;
    if (this.#shared === undefined ? this.#waiting === 0 : !this.#isFull) return shortest;
    for (let at = 1; at < hand.length; at++) {
      const queue = hand[(offset + at) % hand.length]!;
      if (this.#waitingIn(queue) < this.#waitingIn(shortest)) shortest = queue;
    }
    return shortest;
  }

  #waitingIn(queue: RequestQueue): number {
    return this.#shared === undefined ? queue.seatsWaiting : this.#lengthOf(queue);
  }

  #hand(flow: RequestFlow, { queues, handSize }: Queuing): readonly RequestQueue[] {
    if (flow.deck === this.#deck) return flow.hand;
    if (this.#queues.size > maxIdleQueues + this.#activeQueues) this.#shuffle();
    flow.deck = this.#deck;
    flow.hand = deal(flow.hash, queues, handSize).map((index) => this.#queue(index));
    return flow.hand;
  }

  #queue(index: number): RequestQueue {
    const known = this.#queues.get(index);
    if (known !== undefined) return known;
    const queue: RequestQueue = new FairQueue(index);
    this.#queues.set(index, queue);
    return queue;
  }

  /** Deals the hands again. Active queues that are still in use keep their requests and their virtual time. */
  #shuffle(): void {
    this.#deck = {};
    const { queues = 0 } = this.#queuing ?? {};
    for (const [index, queue] of this.#queues) if (!queue.isActive || index >= queues) this.#queues.delete(index);
  }
}

/** Returns by how much the running requests have exceeded the work that their queue was charged for them. */
function overrun(queue: RequestQueue, now: number): number {
  if (queue.executing === 0) return 0;
  return Math.max(0, queue.workInProgress(now) - queue.seatsInUse * expectedMs);
}
