import type { ResourceObject } from '../meta/object.ts';
import { ApiError, isUnreadable } from './api-error.ts';
import { Backoff } from './backoff.ts';
import { pause } from './pause.ts';
import type { ObjectList, Parameters, WatchEvent, WatchOptions } from './resource-client.ts';

/** Where a reflector reads: a `ResourceClient`. */
export interface ReflectorSource<T> {
  list(parameters: Parameters, signal: AbortSignal): Promise<ObjectList<T>>;
  watch(parameters: Parameters, signal: AbortSignal, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** Hears of all objects, in the order of events and synchronously. Objects belong to everybody: nobody changes them. */
export interface ReflectorSink<T> {
  /** All objects will be told. What is not, from here to the end of the list, is gone. May come again before the end. */
  beginList(): void;
  put(object: T): void;
  /** With the last state. */
  remove(object: T): void;
  endList(): void;
}

export interface ReflectorOptions<T> {
  readonly source: ReflectorSource<T>;
  readonly sink: ReflectorSink<T>;
  /** Narrows what is followed: `labelSelector` and `fieldSelector`. */
  readonly selectors?: Parameters;
  readonly report: (error: Error) => void;
  readonly backoff?: Backoff;
}

const initialEventsEnd = 'k8s.io/initial-events-end';
const pageSize = 500;

/**
 * Follows the objects of one type and keeps none of them. It lists and watches, goes on after cuts where it was, and lists again
 * when the server does not remember that any more.
 */
export class Reflector<T extends ResourceObject = ResourceObject> {
  /** Resolves at the end of the first list. Rejects when the signal aborts before. */
  readonly synced: Promise<void>;
  /** Resolves soon after the abort: nothing is told any more. */
  readonly stopped: Promise<void>;
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  readonly #signal: AbortSignal;
  readonly #isSynced = Promise.withResolvers<void>();
  #hasSynced = false;
  #canStream = true;
  /** Where to go on; undefined before the end of a list. */
  #version: string | undefined;

  /** Begins at once. */
  constructor(options: ReflectorOptions<T>, signal: AbortSignal) {
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

  /** How far it has come. Undefined before the first list, and while it lists again. */
  get resourceVersion(): string | undefined {
    return this.#version;
  }

  async #run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const heard = this.#version === undefined ? await this.#begin() : await this.#follow();
        if (heard) continue;
      } catch (error) {
        if (this.#signal.aborted) break;
        // A change of an object that the server cannot read cannot be told: only a list tells what there is.
        if (isGone(error) || isUnreadable(error)) this.#version = undefined;
        if (!isGone(error)) this.#options.report(error as Error);
      }
      await pause(this.#backoff.next(), this.#signal);
    }
    this.#isSynced.reject(this.#signal.reason);
  }

  /** Lists and goes on with what happens then. Whether anything was heard. */
  #begin(): Promise<boolean> {
    if (!this.#canStream) return this.#listPages();
    const parameters = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    this.#options.sink.beginList();
    return this.#consume(parameters, true).catch((error) => {
      // An older server, or one that does not do it for this type.
      if (!(error instanceof ApiError) || (error.code !== 400 && error.code !== 422)) throw error;
      this.#canStream = false;
      return this.#listPages();
    });
  }

  #follow(): Promise<boolean> {
    return this.#consume({ resourceVersion: this.#version }, false);
  }

  async #listPages(): Promise<boolean> {
    const { source, sink, selectors } = this.#options;
    sink.beginList();
    let page: ObjectList<T> | undefined;
    do {
      const token = page?.metadata.continue;
      page = await source.list({ ...selectors, limit: pageSize, continue: token }, this.#signal);
      for (const object of page.items) sink.put(object);
    } while (page.metadata.continue);
    this.#endList(page.metadata.resourceVersion);
    return true;
  }

  /** One stream to its end. */
  async #consume(parameters: Parameters, withList: boolean): Promise<boolean> {
    const { source, sink, selectors } = this.#options;
    let isListing = withList;
    let heard = false;
    // Not for ever: a connection may be dead without anybody having said so.
    const timeoutSeconds = Math.round(300 + Math.random() * 300);
    const all = { ...selectors, ...parameters, allowWatchBookmarks: true, timeoutSeconds };
    for await (const { type, object } of source.watch(all, this.#signal, { shared: true })) {
      if (this.#signal.aborted) break;
      if (type === 'ERROR') throw statusError(object);
      if (type === 'BOOKMARK') {
        const { annotations, resourceVersion = '' } = object.metadata;
        if (isListing && annotations?.[initialEventsEnd] === 'true') {
          this.#endList(resourceVersion);
          isListing = false;
        }
      } else if (type === 'DELETED') sink.remove(object);
      else sink.put(object);
      // The objects of a list come in no order of versions, and half a list is nothing to go on from.
      if (isListing) continue;
      this.#version = object.metadata.resourceVersion;
      heard = true;
      this.#backoff.reset();
    }
    return heard;
  }

  #endList(version: string): void {
    this.#options.sink.endList();
    this.#version = version;
    this.#hasSynced = true;
    this.#isSynced.resolve();
  }
}

/** The version is too old: HTTP 410 at the request, or an event of that code later. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 410;
}

function statusError(object: ResourceObject): ApiError {
  return new ApiError(Number(object.code ?? 500), JSON.stringify(object));
}
