import type { GroupResource } from '../meta/group-version.ts';
import { prefixEnd, type Storage } from '../storage/storage.ts';
import { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { startKey } from './list-objects.ts';
import { runsOf } from './object-run.ts';
import { isWholePrefix, maySelect, selects } from './object-scope.ts';
import type { ListOptions, ListResult } from './object-store.ts';
import { readEntry } from './read-value.ts';
import type { StoredObject } from './stored-object.ts';

const maxListPage = 500;

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

export function corruptError(object: CorruptObject, { resource, prefix }: StoredHistory): CorruptObjectError {
  return new CorruptObjectError([object], { resource, keyOrPrefix: prefix });
}
