import { ApiError, type Status } from './api-error.ts';
import { readLines } from './read-lines.ts';
import { request, requestJson } from './request.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

export type FollowState = 'listing' | 'live' | 'reconnecting' | 'denied';

/** The callbacks of `follow`. Pages and events can arrive in any order: an event is newer than any page of its list. */
export interface Follower<P, T> {
  /** A new list starts. The existing objects stay until `listed`. */
  listing(): void;
  page(page: P): void;
  /** All pages have arrived. Objects that were neither in a page nor in an event since `listing` no longer exist. */
  listed(): void;
  events(events: readonly WatchEvent<T>[]): void;
  state(state: FollowState, error?: ApiError): void;
}

export interface FollowOptions {
  readonly path: string;
  readonly accept?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The size of the first page. Later pages are larger. */
  readonly pageSize?: number;
  /** Reading stops after this number of objects. */
  readonly maxObjects?: number;
  readonly isWatchable?: boolean;
}

interface ListPage {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly unknown[];
  readonly rows?: readonly unknown[];
}

interface RawEvent {
  readonly type: string;
  readonly object: { readonly metadata?: { readonly resourceVersion?: string } } & Status;
}

/**
 * Lists a collection in pages and watches it. The watch begins with the first page. When it breaks, it is resumed from
 * the last received version. If the server no longer has that version, the collection is listed again. Returns when the
 * signal is aborted, or when the server denies the list.
 */
export async function follow<P extends ListPage, T>(
  options: FollowOptions,
  follower: Follower<P, T>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let version: string | undefined;
  let round = new AbortController();
  while (!signal.aborted) {
    try {
      if (version === undefined) {
        round.abort();
        round = new AbortController();
        follower.listing();
        follower.state('listing');
        version = await list(options, follower, { signal: AbortSignal.any([signal, round.signal]), round });
      }
      if (options.isWatchable === false) return;
      const both = AbortSignal.any([signal, round.signal]);
      const started = performance.now();
      for await (const { events, last } of watch<T>(options, version, both)) {
        follower.state('live');
        failures = 0;
        if (events.length > 0) follower.events(events);
        version = last ?? version;
      }
      // A server ends watches after some time, which is not a failure. Ending a watch immediately is one.
      if (performance.now() - started < 1000) failures++;
    } catch (error) {
      if (signal.aborted) return;
      // A later page failed, so the list is incomplete.
      if (round.signal.aborted) version = undefined;
      else if (!(error instanceof ApiError)) follower.state('reconnecting');
      else if (error.code === 410) version = undefined;
      // Without a session, the page asks the user to sign in and then continues.
      else if (error.isTransient || error.code === 401) follower.state('reconnecting', error);
      else return follower.state('denied', error);
      failures++;
    }
    if (failures > 0) await pause(Math.min(10_000, 100 * 2 ** Math.min(failures, 7)), signal);
  }
}

async function list<P extends ListPage, T>(
  options: FollowOptions,
  follower: Follower<P, T>,
  at: { signal: AbortSignal; round: AbortController },
): Promise<string | undefined> {
  const { pageSize = 500, maxObjects = Number.POSITIVE_INFINITY } = options;
  const read = (limit: number, next?: string) => {
    const query = new URLSearchParams({ ...options.query, limit: String(limit), ...(next && { continue: next }) });
    return requestJson<P>(`${options.path}?${query}`, {
      accept: options.accept ?? 'application/json',
      signal: at.signal,
    });
  };
  const first = await read(pageSize);
  follower.page(first);
  const rest = async () => {
    let count = pageSize;
    await painted();
    for (let page = first, size = pageSize; page.metadata?.continue && count < maxObjects; ) {
      size = Math.min(size * 5, 4000);
      page = await read(size, page.metadata.continue);
      count += (page.items ?? page.rows ?? []).length;
      follower.page(page);
    }
    follower.listed();
  };
  if (!first.metadata?.continue) follower.listed();
  else {
    rest().catch((error) => {
      // This also ends the watch. List and watch then start again.
      if (!at.signal.aborted) at.round.abort(error);
    });
  }
  return first.metadata?.resourceVersion;
}

async function* watch<T>(
  options: FollowOptions,
  version: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ events: WatchEvent<T>[]; last: string | undefined }> {
  const query = new URLSearchParams({
    ...options.query,
    watch: 'true',
    allowWatchBookmarks: 'true',
    ...(version && { resourceVersion: version }),
  });
  const accept = options.accept ?? 'application/json';
  const response = await request(`${options.path}?${query}`, { accept, signal });
  yield { events: [], last: undefined };
  for await (const lines of readLines(response.body!)) {
    const events: WatchEvent<T>[] = [];
    let last: string | undefined;
    for (const line of lines) {
      const event = JSON.parse(line) as RawEvent;
      if (event.type === 'ERROR') throw new ApiError(event.object);
      last = event.object.metadata?.resourceVersion ?? last;
      if (event.type !== 'BOOKMARK') events.push(event as unknown as WatchEvent<T>);
    }
    yield { events, last };
  }
}

/** Resolves after the first page has been painted, before further pages are read. Hidden pages may have no frames. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 100);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds * (0.8 + Math.random() * 0.4));
    signal.addEventListener('abort', done);
  });
}
