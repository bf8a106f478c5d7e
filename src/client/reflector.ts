import type { ResourceObject } from '../meta/object.ts';
import { ApiError, isUnreadable } from './api-error.ts';
import { Backoff } from './backoff.ts';
import { pause } from './pause.ts';
import type { ObjectList, Parameters, WatchEvent, WatchOptions } from './resource-client.ts';

/** The source of a reflector: a `ResourceClient`. */
export interface ReflectorSource<T> {
  list(parameters: Parameters, signal: AbortSignal): Promise<ObjectList<T>>;
  watch(parameters: Parameters, signal: AbortSignal, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** Receives all objects synchronously, in the order of events. Objects are shared and must not be modified. */
export interface ReflectorSink<T> {
  /** Starts a list. Objects that are not put before it ends no longer exist. May be called again before the end. */
  beginList(): void;
  put(object: T): void;
  /** With the last state. */
  remove(object: T): void;
  endList(): void;
}

export interface ReflectorOptions<T> {
  readonly source: ReflectorSource<T>;
  readonly sink: ReflectorSink<T>;
  /** Restricts the objects: `labelSelector` and `fieldSelector`. */
  readonly selectors?: Parameters;
  readonly report: (error: Error) => void;
  readonly backoff?: Backoff;
}

const initialEventsEnd = 'k8s.io/initial-events-end';
const pageSize = 500;

/**
 * Follows the objects of one type without storing them: lists, watches, resumes after interruptions, and lists again
 * when the server no longer has the version to resume from.
 */
export class Reflector<T extends ResourceObject = ResourceObject> {
  /** Resolves at the end of the first list. Rejects when the signal aborts before that. */
  readonly synced: Promise<void>;
  /** Resolves after the abort, when the sink receives nothing more. */
  readonly stopped: Promise<void>;
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  readonly #signal: AbortSignal;
  readonly #isSynced = Promise.withResolvers<void>();
  #hasSynced = false;
  #canStream = true;
  /** The version to resume from. Undefined until a list is complete. */
  #version: string | undefined;

  /** Starts immediately. */
  constructor(options: ReflectorOptions<T>, signal: AbortSignal) {
    this.#options = options;
    this.#backoff = options.backoff ?? new Backoff({ initialMs: 100, maxMs: 30_000 });
    this.#signal = signal;
    this.synced = this.#isSynced.promise;
    // Callers may ignore `synced`, so its rejection must not be unhandled.
    this.synced.catch(() => {});
    this.stopped = this.#run();
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The last version received. Undefined before the first list and during a new one. */
  get resourceVersion(): string | undefined {
    return this.#version;
  }

  async #run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const received = this.#version === undefined ? await this.#listAndWatch() : await this.#follow();
        if (received) continue;
      } catch (error) {
        if (this.#signal.aborted) break;
        // A watch cannot report the change of an object that the server cannot decode, so a new list is needed.
        if (isGone(error) || isUnreadable(error)) this.#version = undefined;
        if (!isGone(error)) this.#options.report(error as Error);
      }
      await pause(this.#backoff.next(), this.#signal);
    }
    this.#isSynced.reject(this.#signal.reason);
  }

  /** Lists, then continues with events. Returns whether anything was received. */
  #listAndWatch(): Promise<boolean> {
    if (!this.#canStream) return this.#listPages();
    const parameters = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    this.#options.sink.beginList();
    return this.#consume(parameters).catch((error) => {
      // The server is older, or does not support streaming lists for this type.
      if (!(error instanceof ApiError) || (error.code !== 400 && error.code !== 422)) throw error;
      this.#canStream = false;
      return this.#listPages();
    });
  }

  #follow(): Promise<boolean> {
    return this.#consume({ resourceVersion: this.#version });
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

  /** Reads one stream to its end. */
  async #consume(parameters: Parameters): Promise<boolean> {
    const { source, sink, selectors } = this.#options;
    let isListing = parameters.sendInitialEvents === true;
    let hasReceived = false;
    // Limited, because a dead connection may go unnoticed.
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
      // The objects of a list are not ordered by version, so an incomplete list gives no version to resume from.
      if (isListing) continue;
      this.#version = object.metadata.resourceVersion;
      hasReceived = true;
      this.#backoff.reset();
    }
    return hasReceived;
  }

  #endList(version: string): void {
    this.#options.sink.endList();
    this.#version = version;
    this.#hasSynced = true;
    this.#isSynced.resolve();
  }
}

/** The version has expired: HTTP 410, or an error event with that code. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 410;
}

function statusError(object: ResourceObject): ApiError {
  return new ApiError(Number(object.code ?? 500), JSON.stringify(object));
}
