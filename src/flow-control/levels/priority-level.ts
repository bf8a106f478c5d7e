import type { PriorityLevelConfiguration } from '../../resources/flowcontrol/priority-level-types.ts';
import { QueueSet, type Queuing } from '../queues/queue-set.ts';
import { SmoothedDemand } from './borrowing.ts';
import type { LevelSeats, LevelShare } from './level-seats.ts';
import { RetryAfter } from './retry-after.ts';
import type { SeatShare } from './seat-shares.ts';

/** Maximum number of seats that one request takes. */
const maxSeatsOfRequest = 10;
/** The fraction of a level's seats that one request may take. */
const requestShare = 0.15;
/** Maximum number of seats of all running requests of a level that keep the event loop busy. */
const maxWideSeats = 40;

export interface PriorityLevelOptions {
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly isPaused: () => boolean;
  /** Set on a server with several threads. */
  readonly seats?: LevelSeats | undefined;
}

/** One priority level of a server. */
export class PriorityLevel {
  readonly name: string;
  readonly queues: QueueSet;
  readonly demand = new SmoothedDemand();
  readonly retryAfter: RetryAfter;
  uid = '';
  isExempt = false;
  /** Whether its configuration was deleted. The level is removed with its last request. */
  isQuiescing = false;
  share: SeatShare = { nominal: 0, lowest: 0, highest: 0 };
  target = 0;
  maxSeats = 1;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  cancelled = 0;
  /** Running requests of a level without limits, which are in no queue. */
  exempted = 0;
  /** The time that its requests have run without leaving the event loop, in milliseconds. */
  attainedMs = 0;
  readonly #threads: number;
  /** Undefined if the seats belong to this thread only. */
  readonly #shared: LevelShare | undefined;

  constructor(name: string, { now, isPaused, seats }: PriorityLevelOptions) {
    this.name = name;
    this.#threads = seats?.threads ?? 1;
    this.#shared = seats?.claim(name);
    this.queues = new QueueSet({ now, isPaused, shared: this.#shared });
    this.retryAfter = new RetryAfter(now);
  }

  /** Called when the level serves no more requests. */
  end(): void {
    this.#shared?.release();
  }

  /** Records the demand for the level's seats since the last call, on all threads. */
  observeDemand(now: number): void {
    const own = this.queues.demand.take(now);
    this.demand.add(this.#shared?.demandOfAll(own) ?? own);
  }

  get isIdle(): boolean {
    return this.exempted === 0 && this.queues.isIdle;
  }

  /** The seats of all threads that share them. */
  get seats(): number {
    return this.queues.limits.seats;
  }

  configure({ metadata: { uid = '' }, spec = {} }: PriorityLevelConfiguration, share: SeatShare): void {
    this.uid = uid;
    this.isExempt = spec.type === 'Exempt';
    this.isQuiescing = false;
    const { limitResponse } = spec.limited ?? {};
    this.queues.configure(limitResponse?.type === 'Queue' ? queuingOf(limitResponse.queuing) : undefined);
    const changed = share.nominal !== this.share.nominal;
    this.share = share;
    this.maxSeats = Math.min(maxSeatsOfRequest, Math.max(1, Math.ceil(requestShare * share.nominal)));
    // Until the next adjustment, the level has its nominal seats without borrowing.
    if (changed) this.limit(share.nominal);
  }

  limit(seats: number): void {
    // On one thread, several concurrent large lists take as long as sequential ones, but delay all other requests.
    const wideSeats = Math.min(
      maxWideSeats,
      Math.max(this.maxSeats, Math.floor(this.share.nominal / 2 / this.#threads)),
    );
    // With too many levels to share seats, each thread gets a part of the seats.
    const own = this.#shared === undefined ? Math.ceil(seats / this.#threads) : seats;
    this.queues.limit({ seats: own, wideSeats });
  }
}

/** Adds the defaults of the API for objects that were stored without them. */
function queuingOf({ queues = 64, handSize = 8, queueLengthLimit = 50 }: Partial<Queuing> = {}): Queuing {
  return { queues, handSize: Math.min(handSize, queues), queueLengthLimit };
}
