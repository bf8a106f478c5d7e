import {
  type ApiObject,
  describeEvent,
  inKeyOrder,
  keyOf,
  sameObject,
  versionOf,
  type WatchEvent,
  withVersion,
} from './api-object.ts';
import type { Selection } from './selection.ts';
import { Violation } from './violation.ts';

export interface Change {
  readonly version: number;
  readonly key: string;
  readonly previous: ApiObject | undefined;
  /** Undefined after a deletion. */
  readonly object: ApiObject | undefined;
}

/**
 * All changes of the objects of one type, as a watch of the whole type received them. The reference for all other
 * clients.
 */
export class History {
  readonly start: number;
  readonly changes: Change[] = [];
  readonly #initial: readonly ApiObject[];
  readonly #present = new Map<string, ApiObject>();
  #version: number;

  constructor(initial: readonly ApiObject[], version: number) {
    this.start = version;
    this.#initial = initial;
    this.#version = version;
    for (const object of initial) this.#present.set(keyOf(object), object);
  }

  /** All changes up to this version are known. */
  get version(): number {
    return this.#version;
  }

  /** Records an event. Events must be in the order of their versions. */
  record(event: WatchEvent): void {
    const { type, object } = event;
    const version = versionOf(object);
    if (!(version > this.#version)) throw new Violation(`${describeEvent(event)} came after ${this.#version}`);
    this.#version = version;
    const key = keyOf(object);
    const previous = this.#present.get(key);
    this.#check(event, previous);
    if (type === 'DELETED') this.#present.delete(key);
    else this.#present.set(key, object);
    this.changes.push({ version, key, previous, object: type === 'DELETED' ? undefined : object });
  }

  #check(event: WatchEvent, previous: ApiObject | undefined): void {
    const { type, object } = event;
    const received = describeEvent(event);
    if (type === 'ADDED') {
      if (previous !== undefined) throw new Violation(`${received}: it was there`);
      return;
    }
    if (type !== 'MODIFIED' && type !== 'DELETED') throw new Violation(`unknown event ${received}`);
    if (previous === undefined) throw new Violation(`${received}: it was not there`);
    if (previous.metadata.uid !== object.metadata.uid) throw new Violation(`${received}: it was another object before`);
    if (type === 'DELETED' && !sameObject(object, withVersion(previous, versionOf(object)))) {
      throw new Violation(`${received} does not show the last state`);
    }
  }

  /** Returns the items of a list at this version. */
  items({ includes }: Pick<Selection, 'includes'>, version: number): ApiObject[] {
    if (version < this.start) throw new Violation(`version ${version} is older than everything`);
    const state = new Map(this.#initial.map((object) => [keyOf(object), object]));
    for (const change of this.changes) {
      if (change.version > version) break;
      if (change.object === undefined) state.delete(change.key);
      else state.set(change.key, change.object);
    }
    return inKeyOrder(state.values()).filter((object) => includes(object));
  }

  /** Returns the events of a watch after one version, up to and including another. */
  events({ includes }: Pick<Selection, 'includes'>, after: number, upTo: number): WatchEvent[] {
    const events: WatchEvent[] = [];
    for (const { version, previous, object } of this.changes) {
      if (version <= after || version > upTo) continue;
      const before = previous !== undefined && includes(previous);
      if (object !== undefined && includes(object)) events.push({ type: before ? 'MODIFIED' : 'ADDED', object });
      else if (before) events.push({ type: 'DELETED', object: withVersion(previous, version) });
    }
    return events;
  }
}
