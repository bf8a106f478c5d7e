import type { Steps } from '../../meta/turns.ts';
import type { JsonObject } from '../json-object.ts';
import type { FieldFilter } from './field-filter.ts';
import type { FieldSet } from './field-set.ts';
import type { ManagedEntry } from './managed-entry.ts';
import type { VersionView } from './version-view.ts';

/** The changes that a request makes to an object, limited to the fields that the request can change. */
export interface Change {
  readonly set: FieldSet;
  readonly removed: FieldSet;
}

/** Returns the change in the given version, or undefined for a version that no longer exists. */
export type ChangeAt = (apiVersion: string) => Steps<Change | undefined>;

interface ChangeOptions {
  readonly view: VersionView;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly filter: FieldFilter;
}

export function changes({ view, before, after, filter }: ChangeOptions): ChangeAt {
  const known = new Map<string, Change | undefined>();
  return function* changeAt(apiVersion) {
    if (known.has(apiVersion)) return known.get(apiVersion);
    const comparison = yield* view.compare({ before, after }, apiVersion);
    yield;
    const change = comparison && {
      set: filter(comparison.modified.union(comparison.added)),
      removed: filter(comparison.removed),
    };
    known.set(apiVersion, change);
    yield;
    return change;
  };
}

export function isNoChange({ set, removed }: Change): boolean {
  return set.isEmpty && removed.isEmpty;
}

/**
 * Removes changed and removed fields from another manager's entry. Returns undefined when its version no longer exists.
 */
export function* withoutChange(entry: ManagedEntry, changeAt: ChangeAt): Steps<ManagedEntry | undefined> {
  const change = yield* changeAt(entry.apiVersion);
  if (change === undefined) return undefined;
  const rest = entry.fields.difference(change.set);
  yield;
  const fields = rest.difference(change.removed);
  yield;
  return fields === entry.fields ? entry : { ...entry, fields };
}
