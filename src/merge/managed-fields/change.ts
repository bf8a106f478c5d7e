import type { JsonObject } from '../../meta/json-object.ts';
import type { FieldFilter } from './field-filter.ts';
import type { FieldSet } from './field-set.ts';
import type { ManagedEntry } from './managed-entry.ts';
import type { VersionView } from './version-view.ts';

/** The changes that a request makes to an object, limited to the fields that the request can change. */
export interface Change {
  readonly set: FieldSet;
  readonly removed: FieldSet;
  readonly hasNameless: boolean;
}

interface ChangeOptions {
  readonly view: VersionView;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly filter: FieldFilter;
}

/** The change in each version that entries use. */
export class Changes {
  readonly #options: ChangeOptions;
  readonly #known = new Map<string, Change | undefined>();

  constructor(options: ChangeOptions) {
    this.#options = options;
  }

  /** Returns undefined for a version that no longer exists. */
  at(apiVersion: string): Change | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    const { filter, view } = this.#options;
    const comparison = view.compare(this.#options, apiVersion);
    const change = comparison && {
      set: filter(comparison.modified.union(comparison.added)),
      removed: filter(comparison.removed),
      hasNameless: comparison.hasNameless,
    };
    this.#known.set(apiVersion, change);
    return change;
  }
}

export function isNoChange({ set, removed }: Change): boolean {
  return set.isEmpty && removed.isEmpty;
}

/**
 * Removes changed and removed fields from another manager's entry. Returns undefined when its version no longer exists.
 */
export function withoutChange(entry: ManagedEntry, changes: Changes): ManagedEntry | undefined {
  const change = changes.at(entry.apiVersion);
  if (change === undefined) return undefined;
  const fields = entry.fields.difference(change.set).difference(change.removed);
  return fields === entry.fields ? entry : { ...entry, fields };
}
