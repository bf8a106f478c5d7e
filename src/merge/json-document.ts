import { goQuote } from '../meta/go-quote.ts';
import {
  copyOf,
  entriesOf,
  isJsonEqual,
  type JsonObject,
  memberOf,
  setMember,
  sortedObject,
} from '../meta/json-object.ts';

/**
 * The reason why a JSON Patch cannot be applied, with the message of kube-apiserver. It is not shown to clients that
 * send a patch, but to clients whose object a webhook patches.
 */
export class JsonPatchFailure extends Error {
  constructor(problem: string, reason?: string) {
    super(reason === undefined ? problem : `${problem}: ${reason}`);
    this.name = 'JsonPatchFailure';
  }
}

/** A `test` operation did not find the expected value. */
export class FailedTest extends JsonPatchFailure {}

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

  /** Fails unless the value is the expected one. A missing member equals null. */
  test(path: string, expected: unknown): void {
    if (!isJsonEqual(this.#tested(path), expected)) throw new FailedTest(`testing value ${path} failed`, 'test failed');
  }

  #tested(path: string): unknown {
    if (path === '') return this.#root;
    const location = this.#locate(path, { forWriting: false });
    if (location === undefined) throw missing(`test operation does not apply: is missing path: ${path}`);
    return inContext(`error in test for path: '${path}'`, () => valueAt(location) ?? null);
  }

  add(path: string, value: unknown): void {
    const location = this.#locate(path, { forWriting: true });
    if (location === undefined) throw missing(`add operation does not apply: doc is missing path: "${path}"`);
    inContext(`error in add for path: '${path}'`, () => insert(location, value));
  }

  remove(path: string): void {
    const location = this.#locate(path, { forWriting: true });
    if (location === undefined) throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
    inContext(`error in remove for path: '${path}'`, () => take(location));
  }

  replace(path: string, value: unknown): void {
    if (path === '') {
      if (!isContainer(value)) throw new JsonPatchFailure('replace operation value must be object or array');
      this.#root = value;
      return;
    }
    const location = this.#locate(path, { forWriting: true });
    if (location === undefined) throw missing(`replace operation does not apply: doc is missing path: ${path}`);
    const { container, key } = location;
    if (!Array.isArray(container)) setMember(container, key, value);
    else if (isIndex(key, container.length)) container[indexIn(key, container.length)] = value;
    else throw missing(`replace operation does not apply: doc is missing key: ${path}`);
  }

  move(from: string, path: string): void {
    const source = this.#locate(from, { forWriting: true });
    if (source === undefined) throw missing(`move operation does not apply: doc is missing from path: ${from}`);
    const value = inContext(`error in move for path: '${source.key}'`, () => take(source));
    const target = this.#locate(path, { forWriting: true });
    if (target === undefined) throw missing(`move operation does not apply: doc is missing destination path: ${path}`);
    inContext(`error in move for path: '${path}'`, () => insert(target, value));
  }

  /** Returns the size of the copied value in bytes. */
  copy(from: string, path: string): number {
    const source = this.#locate(from, { forWriting: false });
    if (source === undefined) throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
    const value = inContext(`error in copy for from: '${from}'`, () => valueAt(source) ?? null);
    // Both locations share the value from here on, so a later change to either must copy it first.
    this.#share(value);
    const target = this.#locate(path, { forWriting: true });
    if (target === undefined) throw missing(`copy operation does not apply: doc is missing destination path: ${path}`);
    inContext('error while adding value during copy', () => insert(target, value));
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

  /** Undefined when the container does not exist. */
  #locate(path: string, { forWriting }: { forWriting: boolean }): Location | undefined {
    const steps = path.split('/', maxSteps + 1);
    if (steps.length < 2 || steps.length > maxSteps) return undefined;
    const key = unescaped(steps.at(-1)!);
    let container = forWriting ? this.#owned(this.#root) : this.#root;
    this.#root = container;
    for (const escaped of steps.slice(1, -1)) {
      if (!isContainer(container)) return undefined;
      const step = unescaped(escaped);
      if (Array.isArray(container) && !isIndex(step, container.length)) return undefined;
      let next = valueAt({ container, key: step });
      if (forWriting && isContainer(next)) {
        next = this.#owned(next);
        if (Array.isArray(container)) container[indexIn(step, container.length)] = next;
        else setMember(container, step, next);
      }
      container = next;
    }
    return isContainer(container) ? { container, key } : undefined;
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

function valueAt({ container, key }: Location): unknown {
  return Array.isArray(container) ? container[indexIn(key, container.length)] : memberOf(container, key);
}

function insert({ container, key }: Location, value: unknown): void {
  if (!Array.isArray(container)) {
    setMember(container, key, value);
    return;
  }
  const { length } = container;
  if (key !== '-' && !isInteger(key))
    throw new JsonPatchFailure(`value was not a proper array index: '${key}'`, noNumber(key));
  // An index equal to the length appends to the list.
  container.splice(key === '-' ? length : indexIn(key, length + 1), 0, value);
}

function take({ container, key }: Location): unknown {
  if (Array.isArray(container)) return container.splice(indexIn(key, container.length), 1)[0];
  const value = memberOf(container, key);
  if (value === undefined) throw missing(`Unable to remove nonexistent key: ${key}`);
  delete container[key];
  return value;
}

/** Parses an index below `length`. A negative index counts from the end. */
function indexIn(key: string, length: number): number {
  if (!isInteger(key)) throw new JsonPatchFailure(noNumber(key));
  const index = Number(key);
  if (!isIndex(key, length)) {
    throw new JsonPatchFailure(`Unable to access invalid index: ${index}`, 'invalid index referenced');
  }
  return index < 0 ? index + length : Math.abs(index);
}

function isIndex(key: string, length: number): boolean {
  return isInteger(key) && Number(key) >= -length && Number(key) < length;
}

const isInteger = (key: string): boolean => /^[+-]?[0-9]+$/.test(key);
const noNumber = (key: string): string => `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`;
const missing = (problem: string): JsonPatchFailure => new JsonPatchFailure(problem, 'missing value');

function inContext<T>(context: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof JsonPatchFailure ? new JsonPatchFailure(context, error.message) : error;
  }
}

function unescaped(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}
