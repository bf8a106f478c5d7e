import type { ResourceObject } from '../meta/object.ts';
import type { Backoff } from './backoff.ts';
import { type IndexKeys, ObjectTable } from './object-table.ts';
import { Reflector, type ReflectorSource } from './reflector.ts';
import type { Parameters } from './resource-client.ts';

/** Hears of every object in the order of events, at once and synchronously. What it throws is reported. */
export interface InformerHandler<T> {
  added?(object: T): void;
  updated?(object: T, before: T): void;
  /** With the last state that is known. */
  deleted?(object: T): void;
}

export interface InformerOptions {
  /** Narrows what is followed: `labelSelector` and `fieldSelector`. */
  readonly selectors?: Parameters;
  readonly report: (error: Error) => void;
  readonly backoff?: Backoff;
}

/**
 * Follows the objects of one type as a `Reflector` does and holds their present state, without the managed fields. After a list
 * that had to be repeated handlers hear of the differences. Objects belong to everybody: nobody changes them.
 */
export class Informer<T extends ResourceObject = ResourceObject> {
  readonly #reflector: Reflector<T>;
  readonly #report: (error: Error) => void;
  readonly #table = new ObjectTable<T>();
  readonly #handlers = new Set<{ readonly handler: InformerHandler<T> }>();
  /** The keys of what a list that is under way has not shown so far. */
  #unlisted = new Set<string>();

  /** Begins at once. */
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

  /** Resolves when everything that was there has been told. Rejects when the signal aborts before. */
  get synced(): Promise<void> {
    return this.#reflector.synced;
  }

  /** Resolves soon after the abort: nothing is told any more. */
  get stopped(): Promise<void> {
    return this.#reflector.stopped;
  }

  get hasSynced(): boolean {
    return this.#reflector.hasSynced;
  }

  get size(): number {
    return this.#table.size;
  }

  /** How far the informer has come. Undefined before the first list, and while it lists again. */
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

  /** `keysOf` must give the same keys for the same object. Adding an index of the same name again changes nothing. */
  addIndex(name: string, keysOf: IndexKeys<T>): void {
    this.#table.addIndex(name, keysOf);
  }

  /** Throws when there is no such index. */
  byIndex(name: string, key: string): T[] {
    return this.#table.byIndex(name, key);
  }

  /** Everything that is known is told to it as added before this returns. The result takes it away again. */
  addHandler(handler: InformerHandler<T>): () => void {
    for (const object of this.#table.values()) this.#tell(() => handler.added?.(object));
    // An entry of its own: the same handler may be added twice.
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
    // The same name for another object: the one before has gone unseen.
    if (before !== undefined && before.metadata.uid !== object.metadata.uid) this.#remove(key);
    const isNew = this.#table.get(key) === undefined;
    this.#table.set(key, object);
    for (const { handler } of this.#handlers) {
      this.#tell(() => (isNew ? handler.added?.(object) : handler.updated?.(object, before!)));
    }
  }

  #remove(key: string, last?: T): void {
    const before = this.#table.get(key);
    if (before === undefined) return;
    this.#table.delete(key);
    for (const { handler } of this.#handlers) this.#tell(() => handler.deleted?.(last ?? before));
  }

  #tell(call: () => void): void {
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
