import { copyOf, entriesOf, type JsonObject, memberOf, setMember, sortedObject } from './json-object.ts';

/**
 * The reason why a JSON Patch cannot be applied. It is the cause of the error that clients receive, but is not sent to
 * them.
 */
export class JsonPatchFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonPatchFailure';
  }
}

type Container = JsonObject | unknown[];

/** Limit on the number of steps in a path. No document is nested more deeply. */
const maxSteps = 10_000;

interface Location {
  readonly container: Container;
  /** A key of the object or an index of the list, not yet validated. */
  readonly key: string;
}

/**
 * A document to which a JSON Patch is being applied. Objects and lists on the path to a change are copied on the first
 * change and modified in place afterwards, so that many operations on one large map copy it only once.
 */
export class JsonDocument {
  #root: unknown;
  /** The containers that may be modified in place. They are reachable only through other such containers. */
  readonly #own = new Set<Container>();
  /** All containers created here. Their keys are sorted at the end. */
  readonly #created = new Set<Container>();
  readonly #results = new Map<Container, unknown>();
  /** The sizes of containers that a `copy` operation has copied. These containers are never modified again. */
  readonly #sizes = new Map<Container, number>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Returns null for a missing member of an object. Throws for a missing index or a path that cannot be followed. */
  get(path: string): unknown {
    if (path === '') return this.#root;
    const { container, key } = this.#locate(path, { forWriting: false });
    return valueAt(container, key) ?? null;
  }

  add(path: string, value: unknown): void {
    const { container, key } = this.#locate(path, { forWriting: true });
    if (Array.isArray(container)) {
      // An index equal to the length appends to the list.
      const index = key === '-' ? container.length : indexIn(key, container.length + 1);
      container.splice(index, 0, value);
    } else {
      setMember(container, key, value);
    }
  }

  remove(path: string): unknown {
    const { container, key } = this.#locate(path, { forWriting: true });
    if (Array.isArray(container)) return container.splice(indexIn(key, container.length), 1)[0];
    const value = memberOf(container, key);
    if (value === undefined) throw new JsonPatchFailure(`there is nothing to remove at ${path}`);
    delete container[key];
    return value;
  }

  replace(path: string, value: unknown): void {
    if (path === '') {
      if (!isContainer(value)) throw new JsonPatchFailure('a document must be an object or a list');
      this.#root = value;
      return;
    }
    const { container, key } = this.#locate(path, { forWriting: true });
    if (Array.isArray(container)) container[indexIn(key, container.length)] = value;
    else setMember(container, key, value);
  }

  move(from: string, path: string): void {
    this.add(path, this.remove(from));
  }

  /** Returns the size of the copied value in bytes. */
  copy(from: string, path: string): number {
    if (from === '') throw new JsonPatchFailure('the whole document cannot be copied into itself');
    const value = this.get(from);
    // Both locations share the value from here on, so a later change to either must copy it first.
    this.#share(value);
    this.add(path, value);
    return value === null ? 0 : this.#sizeOf(value);
  }

  #share(value: unknown): void {
    if (!isContainer(value) || !this.#own.delete(value)) return;
    for (const member of Array.isArray(value) ? value : Object.values(value)) this.#share(member);
  }

  #sizeOf(value: unknown): number {
    if (!isContainer(value)) return sizeOf(value);
    let size = this.#sizes.get(value);
    if (size === undefined) {
      size = sizeOf(value);
      this.#sizes.set(value, size);
    }
    return size;
  }

  result(): unknown {
    return this.#resultOf(this.#root);
  }

  #locate(path: string, { forWriting }: { forWriting: boolean }): Location {
    const steps = path.split('/', maxSteps + 1);
    if (steps.length < 2) throw new JsonPatchFailure(`${path} is no path`);
    if (steps.length > maxSteps) throw new JsonPatchFailure('nothing leads that deep');
    const key = unescaped(steps.at(-1)!);
    let container = forWriting ? this.#owned(this.#root) : this.#root;
    this.#root = container;
    for (const escaped of steps.slice(1, -1)) {
      if (!isContainer(container)) break;
      const step = unescaped(escaped);
      let next = valueAt(container, step);
      if (forWriting && isContainer(next)) {
        next = this.#owned(next);
        if (Array.isArray(container)) container[indexIn(step, container.length)] = next;
        else setMember(container, step, next);
      }
      container = next;
    }
    if (!isContainer(container)) throw new JsonPatchFailure(`nothing leads to ${path}`);
    return { container, key };
  }

  #owned(value: unknown): unknown {
    if (!isContainer(value) || this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : copyOf(value);
    this.#own.add(copy);
    this.#created.add(copy);
    return copy;
  }

  #resultOf(value: unknown): unknown {
    if (!isContainer(value) || !this.#created.has(value)) return value;
    let result = this.#results.get(value);
    if (result === undefined) {
      result = Array.isArray(value)
        ? value.map((item) => this.#resultOf(item))
        : sortedObject(entriesOf(value).map(([key, member]) => [key, this.#resultOf(member)]));
      this.#results.set(value, result);
    }
    return result;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Returns the size in bytes of the value as JSON. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(jsonOf(value));
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // JSON.stringify rejects bigints. A replacer function is slow, so it is used only when one is present.
    return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
  }
}

function valueAt(container: Container, key: string): unknown {
  return Array.isArray(container) ? container[indexIn(key, container.length)] : memberOf(container, key);
}

/** Parses an index below `length`. A negative index counts from the end. */
function indexIn(key: string, length: number): number {
  const index = /^[+-]?[0-9]+$/.test(key) ? Number(key) : Number.NaN;
  if (!(index >= -length && index < length)) throw new JsonPatchFailure(`${key} is no index of a list of ${length}`);
  return index < 0 ? index + length : Math.abs(index);
}

function unescaped(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}
