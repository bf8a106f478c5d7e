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
import { Violation } from './violation.ts';

/**
 * The state and the events that one client has received since its last list, over any number of streams. Throws when
 * they are inconsistent.
 */
export class Following {
  /** The version of the initial state. */
  readonly start: number;
  readonly initial: readonly ApiObject[];
  readonly seen: WatchEvent[] = [];
  /** Versions from which the client may continue. */
  readonly versions: number[];
  readonly #known = new Map<string, ApiObject>();
  #promised: number;

  constructor(start: number, initial: readonly ApiObject[]) {
    this.start = start;
    this.initial = initial;
    this.versions = [start];
    this.#promised = start;
    let last = '';
    for (const object of initial) {
      const key = keyOf(object);
      if (key <= last) throw new Violation(`${key} came after ${last} in the initial state`);
      if (versionOf(object) > start) throw new Violation(`${key} is newer than the initial state, ${start}`);
      last = key;
      this.#known.set(key, object);
    }
  }

  /** All events up to this version have been received. */
  get promised(): number {
    return this.#promised;
  }

  /** The objects in the client's cache. */
  get items(): ApiObject[] {
    return inKeyOrder(this.#known.values());
  }

  /** Opens a stream from an earlier version. The events that were already received must be repeated unchanged. */
  resume(after: number): FollowingStream {
    const next = this.seen.findIndex(({ object }) => versionOf(object) > after);
    return new FollowingStream(this, { after, next: next < 0 ? this.seen.length : next });
  }

  promise(version: number): void {
    if (version <= this.#promised) return;
    this.#promised = version;
    this.versions.push(version);
  }

  /** Adds an event that no earlier stream contained. */
  add(event: WatchEvent): void {
    const { type, object } = event;
    const version = versionOf(object);
    const received = describeEvent(event);
    if (version <= this.#promised) throw new Violation(`${received} was missing when ${this.#promised} was promised`);
    const key = keyOf(object);
    const known = this.#known.get(key);
    if (type === 'ADDED') {
      if (known !== undefined) throw new Violation(`${received}: it was known`);
    } else if (type !== 'MODIFIED' && type !== 'DELETED') {
      throw new Violation(`unknown event ${received}`);
    } else if (known === undefined) {
      throw new Violation(`${received}: it was not known`);
    } else if (known.metadata.uid !== object.metadata.uid) {
      throw new Violation(`${received}: another object was known`);
    } else if (type === 'DELETED' && !sameObject(object, withVersion(known, version))) {
      throw new Violation(`${received} does not show the last known state`);
    }
    if (type === 'DELETED') this.#known.delete(key);
    else this.#known.set(key, object);
    this.seen.push(event);
    this.promise(version);
  }
}

/** One of the streams of a following. */
export class FollowingStream {
  readonly #following: Following;
  #version: number;
  #next: number;

  constructor(following: Following, { after, next }: { after: number; next: number }) {
    this.#following = following;
    this.#version = after;
    this.#next = next;
  }

  take(event: WatchEvent): void {
    const { seen } = this.#following;
    const version = versionOf(event.object);
    const again = seen[this.#next];
    if (event.type === 'BOOKMARK') {
      if (!(version >= this.#version)) throw new Violation(`a bookmark went back from ${this.#version} to ${version}`);
      if (again !== undefined && versionOf(again.object) <= version) {
        throw new Violation(`a bookmark at ${version} came instead of ${describeEvent(again)}`);
      }
      this.#version = version;
      this.#following.promise(version);
      return;
    }
    const received = describeEvent(event);
    if (!(version > this.#version)) throw new Violation(`${received} came after ${this.#version}`);
    this.#version = version;
    this.#next++;
    if (again === undefined) this.#following.add(event);
    else if (event.type !== again.type || !sameObject(event.object, again.object)) {
      throw new Violation(`${received} came instead of ${describeEvent(again)}, which had come before`);
    }
  }
}
