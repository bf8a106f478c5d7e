import { runSync, type Steps } from '../../meta/turns.ts';
import type { CorruptObject } from '../corrupt-object.ts';
import type { ObjectEvent } from '../object-store.ts';
import { type Subscriber, Subscribers } from './subscribers.ts';

/** From this number of subscribers, events are delivered in several turns. */
const batchThreshold = 64;
/** The maximum number of waiting events. */
const maxWaiting = 1024;
/** How long events are delivered before requests get a turn, in milliseconds. */
const turnMs = 2;
/** Milliseconds after which events that still wait get longer turns, so that busy writers cannot starve watchers. */
const lateMs = 25;

/**
 * Subscribers that need not get an event before its writer gets the response. If there are many, they get it in several
 * turns of the event loop, between which requests are served.
 */
export class SubscribersInTurns {
  readonly #subscribers: Subscribers;
  /** The events in their order, without the current one. */
  #waiting: ObjectEvent[] = [];
  #current: Steps<void> | undefined;
  /** The time since when events have been waiting. */
  #since = 0;
  #isScheduled = false;
  #isDelivering = false;

  /** `root` is the prefix of all keys of the type. */
  constructor(root: string) {
    this.#subscribers = new Subscribers(root);
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Adds a subscriber, which gets the events that are published from now on. */
  add(subscriber: Subscriber): void {
    this.deliver();
    this.#subscribers.add(subscriber);
  }

  delete(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  publish(event: ObjectEvent): void {
    if (this.size === 0 && !this.#isScheduled) return;
    if (this.size < batchThreshold && !this.#isScheduled) {
      this.#subscribers.publish(event);
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length > maxWaiting) this.deliver();
    else this.#schedule();
  }

  /** Delivers all pending events. */
  deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let steps = this.#next(); steps !== undefined; steps = this.#next()) {
      runSync(steps);
      this.#current = undefined;
    }
    this.#isDelivering = false;
  }

  /** Ends all subscribers with the error. */
  fail(error: Error): void {
    this.deliver();
    this.#subscribers.fail(error);
  }

  /** Ends the subscribers whose scope may include the corrupt object. */
  failFor(object: CorruptObject, error: Error): void {
    this.deliver();
    this.#subscribers.failFor(object, error);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#since = performance.now();
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const now = performance.now();
    const end = now + turnMs * (1 + (now - this.#since) / lateMs);
    this.#isDelivering = true;
    for (let steps = this.#next(); steps !== undefined && performance.now() < end; steps = this.#next()) {
      if (steps.next().done === true) this.#current = undefined;
    }
    this.#isDelivering = false;
    this.#isScheduled = this.#next() !== undefined;
    if (this.#isScheduled) setImmediate(() => this.#turn());
  }

  /** The remaining subscribers of the first pending event. */
  #next(): Steps<void> | undefined {
    if (this.#current !== undefined) return this.#current;
    const event = this.#waiting.shift();
    this.#current = event && this.#subscribers.publishing(event);
    return this.#current;
  }
}
