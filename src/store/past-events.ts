import type { StorageEvent } from '../storage/storage.ts';
import { CorruptObject } from './corrupt-object.ts';
import { corruptError, type StoredHistory } from './history.ts';
import type { ObjectScope } from './object-scope.ts';
import type { ObjectEvent } from './object-store.ts';
import { readValue, type StoredValue } from './read-value.ts';
import type { StoredObject } from './stored-object.ts';

/** Maximum bytes of past events to read ahead of the consumer. */
const maxPageBytes = 1024 * 1024;
/** The maximum number of pages that are kept for other watches. */
const maxPages = 4;
/** A watch does not wait for a page that begins further back than this. */
const maxRevisionsBack = 4096;

export interface PastEventsOptions {
  /** The objects whose changes are requested. Events of other objects may be included. */
  readonly scope: ObjectScope;
  readonly after: number;
  /** The last requested revision, which must have been reached. */
  readonly through: number;
  readonly signal: AbortSignal;
}

interface EventPage {
  readonly events: readonly ObjectEvent[];
  /** The page contains all events up to this revision. */
  readonly position: number;
}

/** A page that one watch reads or has read. */
interface SharedPage {
  /** The key or the prefix of its objects. */
  readonly keyOrPrefix: string;
  readonly after: number;
  readonly read: Promise<EventPage>;
  readonly stop: AbortController;
  /** Undefined while it is being read. */
  position: number | undefined;
  /** The number of watches that wait for it. */
  waiting: number;
}

/**
 * The past events of one type, from the history in storage. After a restart, or a pause of the network, many watches
 * begin at similar revisions: they share the pages that they read at the same time.
 */
export class PastEvents {
  readonly #history: StoredHistory;
  /** The page that was read last is at the end. */
  #pages: SharedPage[] = [];
  #readers = 0;

  constructor(history: StoredHistory) {
    this.#history = history;
  }

  /** Yields the events of a range of revisions, read page by page as the caller consumes them. */
  async *read(options: PastEventsOptions): AsyncGenerator<readonly ObjectEvent[], undefined> {
    const { through } = options;
    this.#readers += 1;
    try {
      let position = options.after;
      while (position < through) {
        const page = await this.#page({ ...options, after: position });
        const events = between(page, position, through);
        position = page.position;
        if (events.length > 0) yield events;
      }
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#pages = [];
    }
  }

  /** Returns a page with the events after the revision, and possibly earlier ones. */
  async #page(options: PastEventsOptions): Promise<EventPage> {
    const { after, signal } = options;
    const keyOrPrefix = keyOrPrefixOf(options.scope);
    const known = this.#pages.find((page) => page.keyOrPrefix === keyOrPrefix && mayContain(page, after));
    if (known !== undefined) {
      try {
        const page = await this.#wait(known, signal);
        if (page.position > after) return page;
      } catch (error) {
        // Only events before the revision may have been the reason.
        if (signal.aborted || known.after === after) throw error;
      }
    }
    return this.#wait(this.#start(options), signal);
  }

  #start(options: PastEventsOptions): SharedPage {
    const stop = new AbortController();
    const read = readPage(this.#history, { ...options, signal: stop.signal });
    const { after, scope } = options;
    const page: SharedPage = { keyOrPrefix: keyOrPrefixOf(scope), after, read, stop, position: undefined, waiting: 0 };
    this.#pages.push(page);
    if (this.#pages.length > maxPages) this.#pages.shift();
    read.then(
      ({ position }) => {
        page.position = position;
      },
      () => this.#remove(page),
    );
    return page;
  }

  /** A page that nobody waits for any more is not read to its end. */
  async #wait(page: SharedPage, signal: AbortSignal): Promise<EventPage> {
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason);
    page.waiting += 1;
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([page.read, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      page.waiting -= 1;
      if (page.waiting === 0 && page.position === undefined) {
        this.#remove(page);
        page.stop.abort();
      }
    }
  }

  #remove(page: SharedPage): void {
    this.#pages = this.#pages.filter((each) => each !== page);
  }
}

// The key of a scope may also be the prefix of other keys.
function keyOrPrefixOf({ key, prefix }: ObjectScope): string {
  return key === undefined ? prefix : `${key}\0`;
}

function mayContain({ after, position }: SharedPage, revision: number): boolean {
  if (after > revision) return false;
  return position === undefined ? revision - after <= maxRevisionsBack : position > revision;
}

function between({ events }: EventPage, after: number, through: number): readonly ObjectEvent[] {
  const first = events[0];
  const last = events.at(-1);
  if (first === undefined || (first.object.revision > after && last!.object.revision <= through)) return events;
  return events.filter(({ object }) => object.revision > after && object.revision <= through);
}

/** The abort reason that ends a page. Aborting is the only way to stop a storage watch. */
const pageEnd = new Error('the page is full');

async function readPage(
  history: StoredHistory,
  { scope, after, through, signal }: PastEventsOptions,
): Promise<EventPage> {
  const stop = new AbortController();
  const events: ObjectEvent[] = [];
  let bytes = 0;
  // When the watch is established, a storage that does not lag has delivered all events up to its latest revision.
  let position = through;
  const endAt = (revision: number): void => {
    position = revision;
    stop.abort(pageEnd);
  };
  const take = (event: StorageEvent): void => {
    const isWanted = event.revision <= through && (scope.key === undefined || scope.key === event.key);
    const change = isWanted ? objectEvent(event, history) : undefined;
    if (change !== undefined) {
      events.push(change);
      bytes += change.object.size + (change.previous?.size ?? 0);
    }
    if (event.revision >= through || bytes >= maxPageBytes) endAt(Math.min(event.revision, through));
  };
  const ended = Promise.withResolvers<void>();
  const either = AbortSignal.any([signal, stop.signal]);
  either.addEventListener('abort', () => ended.reject(either.reason), { once: true });
  // Nobody may be waiting for this promise, so its rejection must not be unhandled.
  ended.promise.catch(() => {});
  try {
    await history.storage.watch({
      // The key of the scope may also be a prefix of other keys.
      prefix: scope.key ?? scope.prefix,
      after,
      onProgress: (revision) => {
        if (revision >= through) endAt(through);
      },
      onEvents: (batch) => {
        for (const event of batch) {
          if (stop.signal.aborted) return;
          take(event);
        }
      },
      onError: (error) => ended.reject(error),
      signal: either,
    });
    if (history.storage.watchesLag) await ended.promise;
  } catch (error) {
    if (error !== pageEnd) throw error;
  } finally {
    if (!stop.signal.aborted) stop.abort(pageEnd);
  }
  return { events, position };
}

function objectEvent(event: StorageEvent, history: StoredHistory): ObjectEvent | undefined {
  const { value, revision, previous } = event;
  const before = previous && readable({ ...previous, revision: previous.modRevision }, history);
  if (value !== undefined) {
    const object = readable({ ...event, value }, history);
    return { type: before === undefined ? 'ADDED' : 'MODIFIED', object, previous: before };
  }
  return before && { type: 'DELETED', object: before.withRevision(revision), previous: before };
}

/** Throws for a corrupt object: its change cannot be sent, so the stream ends and the client must list again. */
function readable(value: StoredValue, history: StoredHistory): StoredObject {
  const object = readValue(value, history.kind);
  if (object instanceof CorruptObject) throw corruptError(object, history);
  return object;
}
