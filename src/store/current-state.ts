import type { MaybePromise } from '../meta/maybe-promise.ts';
import { prefixEnd } from '../storage/storage.ts';
import { listObjects, type Page, selectFrom, startKey } from './list-objects.ts';
import { ObjectRun, runsOf } from './object-run.ts';
import type { ObjectScope } from './object-scope.ts';
import type { ListOptions, ObjectEvent } from './object-store.ts';
import type { WatchCache } from './watch-cache/watch-cache.ts';

/** Lists the current state, for which indexes are available. */
export function listCurrent(cache: WatchCache, options: ListOptions): MaybePromise<Page> {
  const { prefix, key, indexed } = options;
  if (indexed === undefined || key !== undefined) return listObjects(cache.objects, options);
  return selectFrom(runsOf(cache.indexed(indexed, { prefix, startKey: startKey(options) })), options);
}

/** The current objects of a scope, not filtered by `matches`. */
export function currentRuns(cache: WatchCache, { prefix, key, indexed }: ObjectScope): Iterable<ObjectRun> {
  if (key !== undefined) {
    const object = cache.get(key);
    return object === undefined ? [] : [new ObjectRun([object])];
  }
  if (indexed !== undefined) return runsOf(cache.indexed(indexed, { prefix, startKey: prefix }));
  return cache.objects.runs(prefix, prefixEnd(prefix));
}

/** Converts the objects of a state to ADDED events, on demand. */
export function* initialEvents(runs: Iterable<ObjectRun>): Generator<readonly ObjectEvent[], undefined> {
  for (const { objects } of runs) {
    yield objects.map((object) => ({ type: 'ADDED' as const, object, previous: undefined }));
  }
}

/**
 * Whether a watcher of the scope needs the event. Ignores `matches`: watchers also need the events of objects that no
 * longer match.
 */
export function concerns({ prefix, key, indexed }: ObjectScope, { object, previous }: ObjectEvent): boolean {
  if (key !== undefined) return object.key === key;
  if (!object.key.startsWith(prefix)) return false;
  if (indexed === undefined) return true;
  const has = (state: typeof object): boolean => indexed.index.valueOf(state) === indexed.value;
  return has(object) || (previous !== undefined && has(previous));
}
