import type { GroupResource } from '../meta/group-version.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { inTurns, type Steps } from '../meta/turns.ts';
import { keyOrder } from '../storage/key-order.ts';
import { prefixEnd } from '../storage/storage.ts';
import { type CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { ObjectRun, runsOf } from './object-run.ts';
import { isWholePrefix, maySelect, selects } from './object-scope.ts';
import type { ListOptions, ListResult } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';
import type { OrderedObjects } from './watch-cache/ordered-objects.ts';

export type Page = Omit<ListResult, 'revision'>;

/** Number of objects to test before checking whether to yield to the event loop. */
const objectsPerStep = 64;

/**
 * The key at which a list begins: after the last key of the previous page, which may belong to a list of a wider scope.
 */
export function startKey({ prefix, startAfter }: ListOptions): string {
  if (startAfter === undefined || keyOrder(startAfter) < keyOrder(prefix)) return prefix;
  return `${startAfter}\0`;
}

/** Returns the requested page of one state. Yields to the event loop when it has to examine many objects. */
export function listObjects(objects: OrderedObjects, options: ListOptions): MaybePromise<Page> {
  const { prefix, key, limit } = options;
  if (key !== undefined) {
    const object = objects.get(key);
    return selectFrom(object === undefined ? [] : [new ObjectRun([object])], options);
  }
  // Fast path: every write lists the quotas and limits of its namespace, and most clusters have none.
  if (objects.size === 0) return { runs: [] };
  const end = prefixEnd(prefix);
  const all = objects.runs(startKey(options), end);
  if (!isWholePrefix(options)) return selectFrom(all, options);
  if (limit === 0) return { runs: [...all] };
  const { runs, more } = firstOf(all, limit);
  const continueAfter = runs.at(-1)?.objects.at(-1)?.key;
  if (!more || continueAfter === undefined) return { runs };
  return { runs, continueAfter, remaining: objects.count(`${continueAfter}\0`, end) };
}

/** The first `limit` objects, and whether more follow. */
function firstOf(all: Iterable<ObjectRun>, limit: number): { runs: ObjectRun[]; more: boolean } {
  const runs: ObjectRun[] = [];
  let left = limit;
  for (const run of all) {
    if (left === 0) return { runs, more: true };
    const { length } = run.objects;
    runs.push(length <= left ? run : run.first(left));
    if (length > left) return { runs, more: true };
    left -= length;
  }
  return { runs, more: false };
}

/**
 * Selects the first `limit` matching objects, and the key to continue after if more objects follow. A run in which
 * every object matches is kept whole, because its encoded bytes may be cached.
 */
export function selectFrom(all: Iterable<ObjectRun>, options: ListOptions): MaybePromise<Page> {
  return inTurns(selectionSteps(all, options));
}

function* selectionSteps(all: Iterable<ObjectRun>, options: ListOptions): Steps<Page> {
  const { limit } = options;
  let tested = 0;
  const runs: ObjectRun[] = [];
  let single: StoredObject[] = [];
  let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  for (const run of all) {
    const found: StoredObject[] = [];
    for (const object of run.objects) {
      if (left === 0) {
        const continueAfter = (found.at(-1) ?? single.at(-1) ?? runs.at(-1)?.objects.at(-1))!.key;
        return { runs: [...runs, ...runsOf([...single, ...found])], continueAfter };
      }
      if (++tested % objectsPerStep === 0) yield;
      if (!selects(options, object)) continue;
      found.push(object);
      left--;
    }
    if (found.length < run.objects.length) {
      single.push(...found);
    } else {
      runs.push(...runsOf(single), run);
      single = [];
    }
  }
  return { runs: [...runs, ...runsOf(single)] };
}

/**
 * Takes corrupt objects into account for a page that was built without them. Throws for those that belong to the page.
 * Corrupt objects after a full page are left to the next page.
 */
export function beforeCorrupt(
  page: Page,
  corrupt: readonly CorruptObject[],
  { options, resource }: { options: ListOptions; resource: GroupResource },
): Page {
  const start = keyOrder(startKey(options));
  const selected = corrupt.filter((object) => object.order >= start && maySelect(options, object));
  if (selected.length === 0) return page;
  const last = page.runs.at(-1)?.objects.at(-1);
  const isFull = options.limit > 0 && objectsIn(page) === options.limit && last !== undefined;
  const within = isFull ? selected.filter(({ order }) => order < last.order) : selected;
  if (within.length > 0) throw new CorruptObjectError(within, { resource, keyOrPrefix: options.key ?? options.prefix });
  const remaining = isWholePrefix(options) ? (page.remaining ?? 0) + selected.length : undefined;
  return { runs: page.runs, continueAfter: last!.key, ...(remaining !== undefined && { remaining }) };
}

/** The number of objects of a page. */
export function objectsIn({ runs }: Pick<Page, 'runs'>): number {
  let count = 0;
  for (const { objects } of runs) count += objects.length;
  return count;
}
