import type { JsonObject } from '../../meta/json-object.ts';
import { FieldSet } from './field-set.ts';
import { type FieldTree, intersect, subtract, union } from './field-tree.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { ownedFields } from './owned-fields.ts';
import { removeItems, withContainers } from './remove-items.ts';
import { removeUnowned } from './remove-unowned.ts';
import type { VersionedObject, VersionView } from './version-view.ts';

interface PruneOptions {
  readonly view: VersionView;
  /** The previous entry of the applier. */
  readonly last: ManagedEntry;
  /** All entries, including the new entry of the applier. */
  readonly entries: readonly ManagedEntry[];
}

/**
 * Removes the fields that the applier applied before but not now, and that have no other owner. Fields that never had
 * an owner stay as long as their container does.
 */
export function prune(merged: JsonObject, { view, last, entries }: PruneOptions): JsonObject {
  const owned = ownedByVersion(entries);
  const ownedAtLast = owned.get(last.apiVersion) ?? FieldSet.empty;
  // Fast path: most applies relinquish no fields.
  if (last.fields.difference(ownedAtLast).isEmpty) return merged;
  const whole = view.at(merged, last.apiVersion);
  if (whole === undefined) return merged;
  const lastFields = withContainers(whole.shape, last.fields.tree);
  const claims = { last: lastFields, owned: withContainers(whole.shape, ownedAtLast.tree) };
  let result = removeUnowned(whole.shape, whole.object, claims);
  owned.delete(last.apiVersion);
  if (owned.size > 0) result = keepForOthers({ view, whole, lastFields, owned }, result);
  if (result === whole.object) return merged;
  return view.at(result, view.apiVersion)?.object ?? merged;
}

function ownedByVersion(entries: readonly ManagedEntry[]): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of entries) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(fields));
  }
  return owned;
}

interface OtherVersions {
  readonly view: VersionView;
  readonly whole: VersionedObject;
  readonly lastFields: FieldTree | undefined;
  readonly owned: ReadonlyMap<string, FieldSet>;
}

/** Restores fields that entries in other versions own. */
function keepForOthers({ view, whole, lastFields, owned }: OtherVersions, pruned: JsonObject): JsonObject {
  const version = String(whole.object.apiVersion);
  let rest = pruned;
  for (const [apiVersion, fields] of owned) {
    const wholeThere = view.at(whole.object, apiVersion);
    const restThere = view.at(rest, apiVersion);
    if (wholeThere && restThere) rest = restoreOwned(wholeThere, restThere.object, fields);
  }
  const back = view.at(rest, version);
  if (back === undefined) return whole.object;
  const gone = subtract(containedFields(whole), containedFields(back));
  return removeItems(whole.shape, whole.object, FieldSet.of(intersect(gone, lastFields)));
}

function restoreOwned(whole: VersionedObject, rest: JsonObject, owned: FieldSet): JsonObject {
  const kept = union(containedFields({ shape: whole.shape, object: rest }), withContainers(whole.shape, owned.tree));
  return removeItems(whole.shape, whole.object, FieldSet.of(subtract(containedFields(whole), kept)));
}

function containedFields({ shape, object }: VersionedObject): FieldTree | undefined {
  return withContainers(shape, ownedFields(shape, object).tree);
}
