import { Backoff, pause } from '../client/index.ts';
import { withTimeout } from '../http/health/with-timeout.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import { serviceUnavailable } from '../meta/status-error.ts';
import { Turn } from '../meta/turns.ts';
import type { CachedObjectStore, ListResult, ObjectWatch, StoredObject } from '../store/index.ts';
import type { ListOptions, WatchOptions } from '../store/object-store.ts';
import type { BackendObjectCodec } from './backend-object-codec.ts';
import { type AnyBackend, BackendStore } from './backend-store.ts';
import type { BackendEvent, BackendObject } from './define-resource.ts';

/** How long a request may wait for the first list of the backend. */
const firstListTimeoutMs = 10_000;

export interface FollowedStoreOptions {
  readonly backend: AnyBackend;
  readonly codec: BackendObjectCodec;
  /** The store of the copies. Nothing else writes to it. */
  readonly copies: CachedObjectStore;
  readonly report: (error: Error) => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps a copy of a backend that can be watched. Reads and watches use the copy, with versions of this server. A write
 * is answered when the copy contains it.
 */
export class FollowedStore extends BackendStore {
  readonly #copies: CachedObjectStore;
  readonly #report: FollowedStoreOptions['report'];
  readonly #signal: AbortSignal;
  /** The versions of the backend, by key. Those of the copies are counted here. */
  readonly #versions = new Map<string, string>();
  readonly #firstList = Promise.withResolvers<void>();
  #isSynced = false;

  /** Starts to follow the backend. */
  constructor({ backend, codec, copies, report, signal }: FollowedStoreOptions) {
    super(backend, codec);
    this.#copies = copies;
    this.#report = report;
    this.#signal = signal;
    // Nobody may be waiting for this promise, so its rejection must not be unhandled.
    this.#firstList.promise.catch(() => {});
    void this.#follow();
  }

  /** Whether the backend has been listed. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  get(key: string): MaybePromise<StoredObject | undefined> {
    return mapMaybe(this.#synced(), () => this.#copies.get(key));
  }

  list(options: ListOptions): MaybePromise<ListResult> {
    return mapMaybe(this.#synced(), () => this.#copies.list(options));
  }

  async watch(options: WatchOptions): Promise<ObjectWatch> {
    await this.#synced();
    return this.#copies.watch(options);
  }

  revision(): MaybePromise<number> {
    return mapMaybe(this.#synced(), () => this.#copies.revision());
  }

  oldestRevision(): number {
    return this.#copies.oldestRevision();
  }

  #synced(): MaybePromise<void> {
    if (this.#isSynced) return;
    return withTimeout(() => this.#firstList.promise, {
      timeout: firstListTimeoutMs,
      expired: () => serviceUnavailable('the objects are not loaded yet', 1),
    });
  }

  async #follow(): Promise<void> {
    const backoff = new Backoff({ initialMs: 100, maxMs: 30_000 });
    while (!this.#signal.aborted) {
      try {
        await this.#listAndWatch(() => backoff.reset());
      } catch (error) {
        if (!this.#signal.aborted) this.#report(error as Error);
      }
      await pause(backoff.next(), this.#signal);
    }
    this.#firstList.reject(serviceUnavailable('apiserver is shutting down', 1));
  }

  /** Settles when the events end. */
  async #listAndWatch(onEvent: () => void): Promise<void> {
    const request = { user: undefined, signal: this.#signal };
    const events = this.backend.watch!(request)[Symbol.asyncIterator]();
    try {
      // A generator starts with the first call of `next`. Changes while the list is read must not be missed.
      let next = events.next();
      next.catch(() => {});
      const listing = await this.backend.list({ namespace: '', ...request });
      await this.#replaceAll(this.codec.listed(listing).items);
      this.#isSynced = true;
      this.#firstList.resolve();
      for (let event = await next; event.done !== true && !this.#signal.aborted; event = await next) {
        await this.#apply(event.value);
        onEvent();
        next = events.next();
      }
    } finally {
      // The result is not awaited, because a generator that waits for something else would not return.
      void events.return?.().then(undefined, () => {});
    }
  }

  async #replaceAll(items: readonly BackendObject[]): Promise<void> {
    const turn = new Turn();
    const listed = new Set<string>();
    for (const item of items) {
      const key = this.codec.keyOf(item);
      listed.add(key);
      await this.stored(key, item);
      if (turn.isOver) await turn.next();
    }
    const { runs } = await this.#copies.list({ prefix: this.codec.prefix, limit: 0 });
    for (const { key } of runs.flatMap(({ objects }) => objects)) if (!listed.has(key)) await this.#remove(key);
  }

  async #apply({ type, object }: BackendEvent<BackendObject>): Promise<void> {
    const key = this.codec.keyOf(object);
    if (type === 'DELETED') await this.#remove(key);
    else if (type === 'ADDED' || type === 'MODIFIED') await this.stored(key, object);
    else throw this.codec.fault(`an event of type ${JSON.stringify(type)}`);
  }

  async #remove(key: string): Promise<StoredObject | undefined> {
    this.#versions.delete(key);
    const { object } = await this.#copies.update(key, () => ({ action: 'delete' }));
    return object;
  }

  protected original(stored: StoredObject): BackendObject {
    const object: ResourceObject = stored.parse();
    const version = this.#versions.get(stored.key);
    if (version === undefined) delete object.metadata.resourceVersion;
    else object.metadata.resourceVersion = version;
    return object;
  }

  /** A write was rejected, so the copy may be outdated. */
  protected async reread(key: string): Promise<StoredObject | undefined> {
    const { backend } = this;
    if (backend.get === undefined) return this.get(key);
    const found = await backend.get(this.request(key));
    if (found !== undefined && found !== null) return this.stored(key, found);
    await this.#remove(key);
    return undefined;
  }

  protected async stored(key: string, object: BackendObject): Promise<StoredObject> {
    const { resourceVersion } = object.metadata;
    if (resourceVersion === undefined) this.#versions.delete(key);
    else this.#versions.set(key, resourceVersion);
    const value = this.codec.value(object);
    const { object: copy } = await this.#copies.update(key, () => ({ action: 'put', value }));
    return copy!;
  }

  protected async deleted(last: StoredObject): Promise<StoredObject> {
    return (await this.#remove(last.key)) ?? last;
  }
}
