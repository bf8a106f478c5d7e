import type { ObjectIndex, ObjectScope } from '../object-scope.ts';
import type { ObjectEvent } from '../object-store.ts';

export interface Subscriber {
  readonly scope: ObjectScope;
  readonly onEvent: (event: ObjectEvent) => void;
  readonly onError: (error: Error) => void;
}

/**
 * The watchers of one type, sorted by what they watch: an event is offered to those whose scope can hold its object, however
 * many others there are.
 */
export class Subscribers {
  readonly #root: string;
  readonly #all = new Set<Subscriber>();
  readonly #byPrefix = new Map<string, Set<Subscriber>>();
  readonly #byKey = new Map<string, Set<Subscriber>>();
  readonly #byValue = new Map<ObjectIndex, Map<string, Set<Subscriber>>>();

  /** `root` is the prefix of all keys of the type. */
  constructor(root: string) {
    this.#root = root;
  }

  add(subscriber: Subscriber): void {
    const { map, at } = this.#place(subscriber.scope);
    if (map === undefined) {
      this.#all.add(subscriber);
      return;
    }
    const present = map.get(at);
    if (present === undefined) map.set(at, new Set([subscriber]));
    else present.add(subscriber);
  }

  delete(subscriber: Subscriber): void {
    const { map, at } = this.#place(subscriber.scope);
    if (map === undefined) {
      this.#all.delete(subscriber);
      return;
    }
    const present = map.get(at);
    present?.delete(subscriber);
    if (present?.size === 0) map.delete(at);
  }

  publish(event: ObjectEvent): void {
    const { key } = event.object;
    offer(this.#all, event);
    if (this.#byPrefix.size > 0) offer(this.#byPrefix.get(key.slice(0, key.lastIndexOf('/') + 1)), event);
    if (this.#byKey.size > 0) offer(this.#byKey.get(key), event);
    for (const [index, byValue] of this.#byValue) {
      if (byValue.size > 0) this.#publishByValue(index, byValue, event);
    }
  }

  #publishByValue(index: ObjectIndex, byValue: Map<string, Set<Subscriber>>, event: ObjectEvent): void {
    const { object, previous } = event;
    const now = index.valueOf(object);
    const before = previous === undefined ? now : index.valueOf(previous);
    offerWithin(byValue.get(now), event);
    if (before !== now) offerWithin(byValue.get(before), event);
  }

  /** Ends all of them. */
  fail(error: Error): void {
    const byValue = [...this.#byValue.values()];
    const maps = [this.#byPrefix, this.#byKey, ...byValue];
    const everybody = [this.#all, ...maps.flatMap((map) => [...map.values()])].flatMap((set) => [...set]);
    this.#all.clear();
    for (const map of maps) map.clear();
    for (const { onError } of everybody) onError(error);
  }

  #place({ prefix, key, indexed }: ObjectScope): { map: Map<string, Set<Subscriber>> | undefined; at: string } {
    if (key !== undefined) return { map: this.#byKey, at: key };
    if (indexed !== undefined) return { map: this.#valuesOf(indexed.index), at: indexed.value };
    return { map: prefix === this.#root ? undefined : this.#byPrefix, at: prefix };
  }

  #valuesOf(index: ObjectIndex): Map<string, Set<Subscriber>> {
    const known = this.#byValue.get(index);
    if (known !== undefined) return known;
    const made = new Map<string, Set<Subscriber>>();
    this.#byValue.set(index, made);
    return made;
  }
}

function offer(subscribers: Set<Subscriber> | undefined, event: ObjectEvent): void {
  if (subscribers === undefined) return;
  for (const { onEvent } of subscribers) onEvent(event);
}

/** Those who watch one value of an index may do so in one namespace only. */
function offerWithin(subscribers: Set<Subscriber> | undefined, event: ObjectEvent): void {
  if (subscribers === undefined) return;
  for (const { scope, onEvent } of subscribers) if (event.object.key.startsWith(scope.prefix)) onEvent(event);
}
