import type { ResourceObject } from '../meta/object.ts';
import { ApiError } from './api-error.ts';
import { Backoff } from './backoff.ts';
import { type IndexKeys, ObjectTable } from './object-table.ts';
import { pause } from './pause.ts';
import type { ObjectList, Parameters, WatchEvent } from './resource-client.ts';

/** Hears of every object in the order of events, at once and synchronously. What it throws is reported. */
export interface InformerHandler<T> {
  added?(object: T): void;
  updated?(object: T, before: T): void;
  /** With the last state that is known. */
  deleted?(object: T): void;
}

/** Where an informer reads: a `ResourceClient`. */
export interface InformerSource<T> {
  list(parameters: Parameters, signal: AbortSignal): Promise<ObjectList<T>>;
  watch(parameters: Parameters, signal: AbortSignal): AsyncIterable<WatchEvent<T>>;
}

export interface InformerOptions {
  /** Narrows what is followed: `labelSelector` and `fieldSelector`. */
  readonly selectors?: Parameters;
  readonly report: (error: Error) => void;
  readonly backoff?: Backoff;
}

const initialEventsEnd = 'k8s.io/initial-events-end';
const pageSize = 500;

/**
 * Follows the objects of one type and holds their present state, without the managed fields. It lists and watches, goes on after
 * cuts where it was, and lists again when the server does not remember that any more; then handlers hear of the differences.
 * Objects belong to everybody: nobody changes them.
 */
export class Informer<T extends ResourceObject = ResourceObject> {
  /** Resolves when everything that was there has been told. Rejects when the signal aborts before. */
  readonly synced: Promise<void>;
  /** Resolves soon after the abort: nothing is told any more. */
  readonly stopped: Promise<void>;
  readonly #source: InformerSource<T>;
  readonly #options: InformerOptions;
  readonly #backoff: Backoff;
  readonly #signal: AbortSignal;
  readonly #table = new ObjectTable<T>();
  readonly #handlers = new Set<{ readonly handler: InformerHandler<T> }>();
  readonly #isSynced = Promise.withResolvers<void>();
  #hasSynced = false;
  #canStream = true;
  /** Where to go on; undefined before the end of a list. */
  #version: string | undefined;

  /** Begins at once. */
  constructor(source: InformerSource<T>, options: InformerOptions, signal: AbortSignal) {
    this.#source = source;
    this.#options = options;
    this.#backoff = options.backoff ?? new Backoff({ initialMs: 100, maximumMs: 30_000 });
    this.#signal = signal;
    this.synced = this.#isSynced.promise;
    // Not everybody waits for it.
    this.synced.catch(() => {});
    this.stopped = this.#run();
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get size(): number {
    return this.#table.size;
  }

  /** How far the informer has come. Undefined before the first list, and while it lists again. */
  get resourceVersion(): string | undefined {
    return this.#version;
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

  async #run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const heard = this.#version === undefined ? await this.#begin() : await this.#follow();
        if (heard) continue;
      } catch (error) {
        if (this.#signal.aborted) break;
        if (isGone(error)) this.#version = undefined;
        else this.#options.report(error as Error);
      }
      await pause(this.#backoff.next(), this.#signal);
    }
    this.#isSynced.reject(this.#signal.reason);
  }

  /** Lists and goes on with what happens then. Whether anything was heard. */
  #begin(): Promise<boolean> {
    if (!this.#canStream) return this.#listPages();
    const parameters = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    return this.#consume(parameters, new Set()).catch((error) => {
      // An older server, or one that does not do it for this type.
      if (!(error instanceof ApiError) || (error.code !== 400 && error.code !== 422)) throw error;
      this.#canStream = false;
      return this.#listPages();
    });
  }

  #follow(): Promise<boolean> {
    return this.#consume({ resourceVersion: this.#version });
  }

  async #listPages(): Promise<boolean> {
    const listed = new Set<string>();
    let page: ObjectList<T> | undefined;
    do {
      const token = page?.metadata.continue;
      page = await this.#source.list({ ...this.#options.selectors, limit: pageSize, continue: token }, this.#signal);
      for (const object of page.items) listed.add(this.#put(object));
    } while (page.metadata.continue);
    this.#endList(listed, page.metadata.resourceVersion);
    return true;
  }

  /** One stream to its end. `listed` gathers what an initial list holds. */
  async #consume(parameters: Parameters, listed?: Set<string>): Promise<boolean> {
    let initial = listed;
    let heard = false;
    // Not for ever: a connection may be dead without anybody having said so.
    const timeoutSeconds = Math.round(300 + Math.random() * 300);
    const all = { ...this.#options.selectors, ...parameters, allowWatchBookmarks: true, timeoutSeconds };
    for await (const { type, object } of this.#source.watch(all, this.#signal)) {
      if (this.#signal.aborted) break;
      if (type === 'ERROR') throw statusError(object);
      if (type === 'BOOKMARK') {
        const { annotations, resourceVersion = '' } = object.metadata;
        if (initial !== undefined && annotations?.[initialEventsEnd] === 'true') {
          this.#endList(initial, resourceVersion);
          initial = undefined;
        }
      } else if (type === 'DELETED') {
        this.#remove(objectKey(object), object);
        initial?.delete(objectKey(object));
      } else {
        const key = this.#put(object);
        initial?.add(key);
      }
      // The objects of a list come in no order of versions, and half a list is nothing to go on from.
      if (initial !== undefined) continue;
      this.#version = object.metadata.resourceVersion;
      heard = true;
      this.#backoff.reset();
    }
    return heard;
  }

  #endList(listed: ReadonlySet<string>, version: string): void {
    for (const key of [...this.#table.keys()]) if (!listed.has(key)) this.#remove(key);
    this.#version = version;
    this.#hasSynced = true;
    this.#isSynced.resolve();
  }

  #put(object: T): string {
    const key = objectKey(object);
    const before = this.#table.get(key);
    if (before?.metadata.resourceVersion === object.metadata.resourceVersion) return key;
    delete object.metadata.managedFields;
    // The same name for another object: the one before has gone unseen.
    if (before !== undefined && before.metadata.uid !== object.metadata.uid) this.#remove(key);
    const isNew = this.#table.get(key) === undefined;
    this.#table.set(key, object);
    for (const { handler } of this.#handlers) {
      this.#tell(() => (isNew ? handler.added?.(object) : handler.updated?.(object, before!)));
    }
    return key;
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
      this.#options.report(error as Error);
    }
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function objectKey({ metadata: { namespace = '', name = '' } }: ResourceObject): string {
  return keyOf(namespace, name);
}

/** The version is too old: HTTP 410 at the request, or an event of that code later. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 410;
}

function statusError(object: ResourceObject): ApiError {
  return new ApiError(Number(object.code ?? 500), JSON.stringify(object));
}
