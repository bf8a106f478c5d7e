import type { GroupResource } from '../meta/group-version.ts';
import { prefixEnd, type Storage, type StorageEvent } from '../storage/storage.ts';
import { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { startKey } from './list-objects.ts';
import { runsOf } from './object-run.ts';
import { isWholePrefix, maySelect, type ObjectScope, selects } from './object-scope.ts';
import type { ListOptions, ListResult, ObjectEvent } from './object-store.ts';
import { readEntry, readValue, type StoredValue } from './read-value.ts';
import type { StoredObject } from './stored-object.ts';

const maxListPage = 500;
/** Maximum bytes of past events to read ahead of the consumer. */
const maxEventPageBytes = 1024 * 1024;

/** The location of the objects of a type, and their name in errors. */
export interface StoredHistory {
  readonly storage: Storage;
  /** The prefix of all objects of the type. */
  readonly prefix: string;
  readonly resource: GroupResource;
  readonly kind: string | undefined;
  /** Called with the number of entries of each page that is read for a list. */
  readonly onRead?: (entries: number) => void;
}

/** Lists the objects at a revision that is only available from storage history. */
export async function listFromHistory(
  history: StoredHistory,
  options: ListOptions & { readonly revision: number },
): Promise<ListResult> {
  const { storage, kind, onRead } = history;
  const { prefix, key, limit, revision, startAfter } = options;
  const whole = isWholePrefix(options);
  const end = key === undefined ? prefixEnd(prefix) : `${key}\0`;
  const objects: StoredObject[] = [];
  let start = startAfter === undefined && key !== undefined ? key : startKey(options);
  for (;;) {
    const wanted = whole && limit > 0 ? Math.min(limit - objects.length, maxListPage) : maxListPage;
    const page = await storage.range({ start, end, limit: wanted, revision });
    onRead?.(page.entries.length);
    for (const [index, entry] of page.entries.entries()) {
      const object = readEntry(entry, kind);
      if (object instanceof CorruptObject) {
        if (!options.skipCorrupt && maySelect(options, object)) throw corruptError(object, history);
        continue;
      }
      if (!selects(options, object)) continue;
      objects.push(object);
      if (objects.length !== limit) continue;
      const continueAfter = object.key;
      if (!page.more && index === page.entries.length - 1) return { revision, runs: runsOf(objects) };
      if (!whole) return { revision, runs: runsOf(objects), continueAfter };
      const rest = { start: `${continueAfter}\0`, end, limit: 0, revision };
      const { count } = await storage.range({ ...rest, count: true });
      return { revision, runs: runsOf(objects), continueAfter, ...(count !== undefined && { remaining: count }) };
    }
    if (!page.more) return { revision, runs: runsOf(objects) };
    start = `${page.entries.at(-1)!.key}\0`;
  }
}

export interface PastEventsOptions {
  /** The objects whose changes are requested. Events of other objects may be included. */
  readonly scope: ObjectScope;
  readonly after: number;
  /** The last requested revision, which must have been reached. */
  readonly through: number;
  readonly signal: AbortSignal;
}

/** Yields the events of a range of revisions, read page by page as the caller consumes them. */
export async function* eventsFromHistory(
  history: StoredHistory,
  { scope, after, through, signal }: PastEventsOptions,
): AsyncGenerator<readonly ObjectEvent[], undefined> {
  let position = after;
  while (position < through) {
    const page = await readEvents(history, { scope, after: position, through, signal });
    position = page.position;
    if (page.events.length > 0) yield page.events;
  }
}

/** The abort reason that ends a page. Aborting is the only way to stop a storage watch. */
const pageEnd = new Error('the page is full');

async function readEvents(
  history: StoredHistory,
  { scope, after, through, signal }: PastEventsOptions,
): Promise<{ events: ObjectEvent[]; position: number }> {
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
      bytes += change.object.size;
    }
    if (event.revision >= through || bytes >= maxEventPageBytes) endAt(Math.min(event.revision, through));
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

function corruptError(object: CorruptObject, { resource, prefix }: StoredHistory): CorruptObjectError {
  return new CorruptObjectError([object], { resource, place: prefix });
}
