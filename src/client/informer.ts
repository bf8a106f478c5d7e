import type { ResourceObject } from '../meta/object.ts';
import type { Backoff } from './backoff.ts';
import { type IndexKeys, ObjectTable } from './object-table.ts';
import { Reflector, type ReflectorSource } from './reflector.ts';
import type { Parameters } from './resource-client.ts';

/** Called synchronously for every object, in the order of events. Exceptions are reported. */
export interface InformerHandler<T> {
  added?(object: T): void;
  updated?(object: T, before: T): void;
  /** With the last known state. */
  deleted?(object: T): void;
}

export interface InformerOptions {
  /** Restricts the objects: `labelSelector` and `fieldSelector`. */
  readonly selectors?: Parameters;
  readonly report: (error: Error) => void;
  readonly backoff?: Backoff;
}

/**
 * Tracks the objects of one type with a `Reflector` and holds their current state, without managed fields. After a new
 * list, handlers receive the differences. Objects are shared and must not be modified.
 */
export class Informer<T extends ResourceObject = ResourceObject> {
  readonly #reflector: Reflector<T>;
  readonly #report: (error: Error) => void;
  readonly #table = new ObjectTable<T>();
  readonly #handlers = new Set<{ readonly handler: InformerHandler<T> }>();
  /** Keys that a list in progress has not contained so far. */
  #unlisted = new Set<string>();

  /** Starts immediately. */
  constructor(source: ReflectorSource<T>, options: InformerOptions, signal: AbortSignal) {
    this.#report = options.report;
    const sink = {
      beginList: () => {
        this.#unlisted = new Set(this.#table.keys());
      },
      put: (object: T) => this.#put(object),
      remove: (object: T) => this.#remove(objectKey(object), object),
      endList: () => {
        for (const key of this.#unlisted) this.#remove(key);
      },
    };
    this.#reflector = new Reflector({ ...options, source, sink }, signal);
  }

  /** Resolves when handlers have received the initial state. Rejects when the signal aborts before that. */
  get synced(): Promise<void> {
    return this.#reflector.synced;
  }

  /** Resolves after the abort, when no more handlers are called. */
  get stopped(): Promise<void> {
    return this.#reflector.stopped;
  }

  get hasSynced(): boolean {
    return this.#reflector.hasSynced;
  }

  get size(): number {
    return this.#table.size;
  }

  /** The last version received. Undefined before the first list and during a new one. */
  get resourceVersion(): string | undefined {
    return this.#reflector.resourceVersion;
  }

  /** Cluster-scoped objects have an empty namespace. */
  get(namespace: string, name: string): T | undefined {
    return this.#table.get(keyOf(namespace, name));
  }

  list(): T[] {
    return [...this.#table.values()];
  }

  /** `keysOf` must return the same keys for the same object. Adding an index with an existing name has no effect. */
  addIndex(name: string, keysOf: IndexKeys<T>): void {
    this.#table.addIndex(name, keysOf);
  }

  /** Throws when the index does not exist. */
  byIndex(name: string, key: string): T[] {
    return this.#table.byIndex(name, key);
  }

  /**
   * Calls the handler with all known objects as added before it returns. Returns a function that removes the handler.
   */
  addHandler(handler: InformerHandler<T>): () => void {
    for (const object of this.#table.values()) this.#notify(() => handler.added?.(object));
    // A separate entry, because the same handler may be added twice.
    const entry = { handler };
    this.#handlers.add(entry);
    return () => void this.#handlers.delete(entry);
  }

  #put(object: T): void {
    const key = objectKey(object);
    this.#unlisted.delete(key);
    const before = this.#table.get(key);
    if (before?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    if (object.metadata.managedFields !== undefined) delete object.metadata.managedFields;
    // Another object with the same name: the deletion of the previous one was missed.
    if (before !== undefined && before.metadata.uid !== object.metadata.uid) this.#remove(key);
    const isNew = this.#table.get(key) === undefined;
    this.#table.set(key, object);
    for (const { handler } of this.#handlers) {
      this.#notify(() => (isNew ? handler.added?.(object) : handler.updated?.(object, before!)));
    }
  }

  #remove(key: string, last?: T): void {
    const before = this.#table.get(key);
    if (before === undefined) return;
    this.#table.delete(key);
    for (const { handler } of this.#handlers) this.#notify(() => handler.deleted?.(last ?? before));
  }

  #notify(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#report(error as Error);
    }
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function objectKey({ metadata: { namespace = '', name = '' } }: ResourceObject): string {
  return keyOf(namespace, name);
}
