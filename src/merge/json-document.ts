import { copyOf, entriesOf, type JsonObject, memberOf, setMember, sortedObject } from './json-object.ts';

/** Why a JSON patch cannot be applied. Clients are not told; it is the cause of what they are told. */
export class JsonPatchFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonPatchFailure';
  }
}

type Container = JsonObject | unknown[];

/** No document is deeper. */
const maxSteps = 10_000;

interface Place {
  readonly container: Container;
  /** A key of the object or an index of the list, not yet checked. */
  readonly key: string;
}

/**
 * A document while a JSON patch is applied to it. Objects and lists on the way to a change are copied the first time and
 * changed in place from then on, so that many operations on one large map cost one copy of it.
 */
export class JsonDocument {
  #root: unknown;
  /** The containers that may be changed in place. Only other such containers lead to them. */
  readonly #own = new Set<Container>();
  /** All containers that were made here: their keys are put in order at the end. */
  readonly #made = new Set<Container>();
  readonly #sealedParts = new Map<Container, unknown>();
  /** Of containers that have been copied, which are never changed again. */
  readonly #sizes = new Map<Container, number>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Null for a missing member of an object; a missing index or a way that leads nowhere fails. */
  get(path: string): unknown {
    if (path === '') return this.#root;
    const { container, key } = this.#place(path, { toWrite: false });
    return valueAt(container, key) ?? null;
  }

  add(path: string, value: unknown): void {
    const { container, key } = this.#place(path, { toWrite: true });
    if (Array.isArray(container)) {
      // One index more than the list has: behind its last element.
      const index = key === '-' ? container.length : indexIn(key, container.length + 1);
      container.splice(index, 0, value);
    } else {
      setMember(container, key, value);
    }
  }

  remove(path: string): unknown {
    const { container, key } = this.#place(path, { toWrite: true });
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
    const { container, key } = this.#place(path, { toWrite: true });
    if (Array.isArray(container)) container[indexIn(key, container.length)] = value;
    else setMember(container, key, value);
  }

  move(from: string, path: string): void {
    this.add(path, this.remove(from));
  }

  /** Returns the size of what was copied, in bytes. */
  copy(from: string, path: string): number {
    if (from === '') throw new JsonPatchFailure('the whole document cannot be copied into itself');
    const value = this.get(from);
    // Both places share the value from here on, so that whoever changes it makes a copy.
    this.#share(value);
    this.add(path, value);
    return value === null ? 0 : this.#sizeOf(value);
  }

  #share(value: unknown): void {
    if (!isContainer(value) || !this.#own.delete(value)) return;
    for (const part of Array.isArray(value) ? value : Object.values(value)) this.#share(part);
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
    return this.#sealed(this.#root);
  }

  #place(path: string, { toWrite }: { toWrite: boolean }): Place {
    const steps = path.split('/', maxSteps + 1);
    if (steps.length < 2) throw new JsonPatchFailure(`${path} is no path`);
    if (steps.length > maxSteps) throw new JsonPatchFailure('nothing leads that deep');
    const key = unescaped(steps.at(-1)!);
    let container = toWrite ? this.#owned(this.#root) : this.#root;
    this.#root = container;
    for (const escaped of steps.slice(1, -1)) {
      if (!isContainer(container)) break;
      const step = unescaped(escaped);
      let next = valueAt(container, step);
      if (toWrite && isContainer(next)) {
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
    this.#made.add(copy);
    return copy;
  }

  #sealed(value: unknown): unknown {
    if (!isContainer(value) || !this.#made.has(value)) return value;
    let sealed = this.#sealedParts.get(value);
    if (sealed === undefined) {
      sealed = Array.isArray(value)
        ? value.map((item) => this.#sealed(item))
        : sortedObject(entriesOf(value).map(([key, member]) => [key, this.#sealed(member)]));
      this.#sealedParts.set(value, sealed);
    }
    return sealed;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** In bytes of JSON. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(jsonOf(value));
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // It knows no bigints, and a function for every member would be slow.
    return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
  }
}

function valueAt(container: Container, key: string): unknown {
  return Array.isArray(container) ? container[indexIn(key, container.length)] : memberOf(container, key);
}

/** An index below `length`; a negative one counts from the end. */
function indexIn(key: string, length: number): number {
  const index = /^[+-]?[0-9]+$/.test(key) ? Number(key) : Number.NaN;
  if (!(index >= -length && index < length)) throw new JsonPatchFailure(`${key} is no index of a list of ${length}`);
  return index < 0 ? index + length : Math.abs(index);
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
