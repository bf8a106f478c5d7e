import type { Steps } from '../../meta/turns.ts';
import type { CorruptObject } from '../corrupt-object.ts';
import { maySelect, type ObjectIndex, type ObjectScope } from '../object-scope.ts';
import type { ObjectEvent } from '../object-store.ts';

export interface Subscriber {
  readonly scope: ObjectScope;
  readonly onEvent: (event: ObjectEvent) => void;
  readonly onError: (error: Error) => void;
}

const subscribersPerStep = 16;

/**
 * The watchers of one type, indexed by scope. An event is offered only to watchers whose scope can contain its object,
 * so the cost does not depend on the number of other watchers.
 */
export class Subscribers {
  readonly #root: string;
  readonly #all = new Set<Subscriber>();
  readonly #byPrefix = new Map<string, Set<Subscriber>>();
  readonly #byKey = new Map<string, Set<Subscriber>>();
  readonly #byValue = new Map<ObjectIndex, Map<string, Set<Subscriber>>>();
  #size = 0;

  /** `root` is the prefix of all keys of the type. */
  constructor(root: string) {
    this.#root = root;
  }

  get size(): number {
    return this.#size;
  }

  add(subscriber: Subscriber): void {
    this.#size++;
    const { map, at } = this.#find(subscriber.scope);
    if (map === undefined) {
      this.#all.add(subscriber);
      return;
    }
    const present = map.get(at);
    if (present === undefined) map.set(at, new Set([subscriber]));
    else present.add(subscriber);
  }

  delete(subscriber: Subscriber): void {
    const { map, at } = this.#find(subscriber.scope);
    if (map === undefined) {
      if (this.#all.delete(subscriber)) this.#size--;
      return;
    }
    const present = map.get(at);
    if (present?.delete(subscriber)) this.#size--;
    if (present?.size === 0) map.delete(at);
  }

  /** An exception of a subscriber ends only its own stream, because it has missed an event and cannot continue. */
  publish(event: ObjectEvent): void {
    for (const subscribers of this.#concerned(event)) {
      for (const subscriber of subscribers) this.#offer(subscriber, event);
    }
  }

  /** Like `publish`, but can be interrupted. No subscriber may be added in the meantime. */
  *publishing(event: ObjectEvent): Steps<void> {
    let offered = 0;
    for (const subscribers of this.#concerned(event)) {
      for (const subscriber of subscribers) {
        this.#offer(subscriber, event);
        if (++offered % subscribersPerStep === 0) yield;
      }
    }
  }

  #concerned(event: ObjectEvent): Set<Subscriber>[] {
    const { key } = event.object;
    const found: (Set<Subscriber> | undefined)[] = [this.#all];
    if (this.#byPrefix.size > 0) found.push(this.#byPrefix.get(key.slice(0, key.lastIndexOf('/') + 1)));
    if (this.#byKey.size > 0) found.push(this.#byKey.get(key));
    for (const [index, byValue] of this.#byValue) {
      if (byValue.size > 0) found.push(...withValueOf(index, byValue, event));
    }
    return found.filter((subscribers) => subscribers !== undefined);
  }

  /** Watchers of an index value may be limited to one namespace. */
  #offer(subscriber: Subscriber, event: ObjectEvent): void {
    if (event.object.key.startsWith(subscriber.scope.prefix)) this.#notify(subscriber, event);
  }

  #notify(subscriber: Subscriber, event: ObjectEvent): void {
    try {
      subscriber.onEvent(event);
    } catch (error) {
      this.#end(subscriber, error as Error);
    }
  }

  /** Ends all subscribers with the error. */
  fail(error: Error): void {
    for (const subscriber of this.#subscribers()) this.#end(subscriber, error);
  }

  /** Ends the subscribers whose scope may include the corrupt object. */
  failFor(object: CorruptObject, error: Error): void {
    for (const subscriber of this.#subscribers()) {
      if (maySelect({ ...subscriber.scope, matches: undefined }, object)) this.#end(subscriber, error);
    }
  }

  #subscribers(): Subscriber[] {
    const maps = [this.#byPrefix, this.#byKey, ...this.#byValue.values()];
    return [this.#all, ...maps.flatMap((map) => [...map.values()])].flatMap((set) => [...set]);
  }

  #end(subscriber: Subscriber, error: Error): void {
    this.delete(subscriber);
    try {
      subscriber.onError(error);
    } catch {
      // The subscriber has already been removed, and there is no other handler for the error.
    }
  }

  #find({ prefix, key, indexed }: ObjectScope): { map: Map<string, Set<Subscriber>> | undefined; at: string } {
    if (key !== undefined) return { map: this.#byKey, at: key };
    if (indexed !== undefined) return { map: this.#valuesOf(indexed.index), at: indexed.value };
    return { map: prefix === this.#root ? undefined : this.#byPrefix, at: prefix };
  }

  #valuesOf(index: ObjectIndex): Map<string, Set<Subscriber>> {
    const known = this.#byValue.get(index);
    if (known !== undefined) return known;
    const created = new Map<string, Set<Subscriber>>();
    this.#byValue.set(index, created);
    return created;
  }
}

/** Returns the watchers of the value that an object has, and of its previous value. */
function withValueOf(
  index: ObjectIndex,
  byValue: Map<string, Set<Subscriber>>,
  { object, previous }: ObjectEvent,
): (Set<Subscriber> | undefined)[] {
  const now = index.valueOf(object);
  const before = previous === undefined ? now : index.valueOf(previous);
  return before === now ? [byValue.get(now)] : [byValue.get(now), byValue.get(before)];
}
