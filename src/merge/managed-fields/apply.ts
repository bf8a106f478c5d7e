import { DecodeError } from '../../meta/decode-error.ts';
import type { JsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type WriteOptions, withManagedFields } from './after-update.ts';
import { Changes, withoutChange } from './change.ts';
import { checkApplied, namelessItemProblem } from './check-applied.ts';
import type { Conflict } from './conflict.ts';
import { everything } from './field-filter.ts';
import { FieldSet } from './field-set.ts';
import { allowedByLastApplied, hasLastApplied, withLastApplied } from './last-applied.ts';
import { identityOf, type ManagedEntry, readEntries, writeEntries } from './managed-entry.ts';
import { mergeApplied } from './merge-applied.ts';
import { NamelessItemError } from './merge-list.ts';
import { ownedFields } from './owned-fields.ts';
import { ownsExactly } from './owns-exactly.ts';
import { prune } from './prune.ts';
import type { StructShape } from './shape.ts';
import { VersionView } from './version-view.ts';
import { zeroValue } from './zero-value.ts';

export interface ApplyOptions extends WriteOptions {
  /** The stored object; undefined when it does not exist yet. */
  readonly live: ResourceObject | undefined;
  /** The configuration as the client sent it. */
  readonly applied: ResourceObject;
  /** Take over fields that others own instead of reporting conflicts. */
  readonly force: boolean;
}

export type ApplyResult =
  | {
      readonly outcome: 'applied';
      /**
       * The object to store, not yet in canonical form and without new defaults. It is the live object itself when
       * neither its fields nor their owners change.
       */
      readonly object: ResourceObject;
    }
  | { readonly outcome: 'conflict'; readonly conflicts: readonly Conflict[] };

/** The manager whose objects are migrated from client-side apply. */
const migratingManager = 'kubectl';
const beforeFirstApply = 'before-first-apply';

/**
 * Merges a configuration into the live object. Sets the fields in the configuration. Removes fields that the same
 * manager applied before and no longer lists, unless others own them. Throws `DecodeError` when the configuration is
 * invalid, and `MalformedEntryError` and `MalformedFieldsError` when the entries of the live object cannot be parsed.
 */
export function apply(options: ApplyOptions): ApplyResult {
  const { manager, applied } = options;
  const result = applyOnce(options);
  if (manager !== migratingManager) return result;
  const settled = result.outcome === 'conflict' ? withoutAllowed(options, result.conflicts) : result;
  if (settled.outcome === 'conflict' || !hasLastApplied(settled.object)) return settled;
  return { outcome: 'applied', object: withLastApplied(settled.object, applied) };
}

/**
 * Drops conflicts about fields that still have the value of the last client-side apply: the same client may change
 * them.
 */
function withoutAllowed(options: ApplyOptions, conflicts: readonly Conflict[]): ApplyResult {
  const { live, shape, apiVersion } = options;
  const allowed = live && allowedByLastApplied(live, { shape, apiVersion });
  if (allowed === undefined) return { outcome: 'conflict', conflicts };
  const left = conflicts.flatMap(({ owner, fields }) => {
    const rest = fields.difference(allowed);
    return rest.isEmpty ? [] : [{ owner, fields: rest }];
  });
  return left.length > 0 ? { outcome: 'conflict', conflicts: left } : applyOnce({ ...options, force: true });
}

function applyOnce(options: ApplyOptions): ApplyResult {
  const { shape, apiVersion, live, applied, manager, subresource = '', force, time, filter = everything } = options;
  const view = new VersionView({ shape, apiVersion, toVersion: options.toVersion });
  const before: JsonObject = live ?? {};
  const known = liveEntries(options, view);
  const self = { manager, operation: 'Apply', apiVersion, subresource } as const;
  const id = identityOf(self);
  const last = known.get(id);
  const isSame = last !== undefined && ownsExactly(shape, applied, last.fields);
  if (!isSame) {
    const problem = checkApplied(shape, applied);
    if (problem !== undefined) throw problem;
  }
  const owned = filter(isSame ? last.fields : ownedFields(shape, applied));
  const fields = last?.fields.equals(owned) === true ? last.fields : owned;
  const entries = new Map(known).set(id, { ...self, time: last?.time, fields });

  const merged = mergedInto(shape, before, applied);
  const keepsAll = last === undefined || (last.fields === fields && last.apiVersion === apiVersion);
  const after = keepsAll ? merged : prune(merged, { view, last, entries: [...entries.values()] });
  if (after === live && isSameEntry(last, { apiVersion, fields }) && live.metadata.managedFields !== undefined) {
    return { outcome: 'applied', object: live };
  }

  if (after !== before) {
    const changes = new Changes({ view, before, after, filter });
    known.delete(id);
    const conflicts = force ? [] : findConflicts([...known.values()], changes);
    if (conflicts.length > 0) return { outcome: 'conflict', conflicts };
    for (const [otherId, other] of known) {
      const rest = withoutChange(other, changes);
      if (rest === undefined) entries.delete(otherId);
      else entries.set(otherId, rest);
    }
    // The time is set only here: an applier that changes no value and only becomes a co-owner gets no time.
    entries.set(id, { ...self, time, fields });
  }
  return { outcome: 'applied', object: withManagedFields(after, writeEntries([...entries.values()])) };
}

function mergedInto(shape: StructShape, live: JsonObject, applied: JsonObject): JsonObject {
  try {
    return mergeApplied(shape, live, applied) as JsonObject;
  } catch (error) {
    if (!(error instanceof NamelessItemError)) throw error;
    throw new DecodeError(namelessItemProblem(shape, live as ResourceObject), { cause: error });
  }
}

function isSameEntry(
  last: ManagedEntry | undefined,
  { apiVersion, fields }: Pick<ManagedEntry, 'apiVersion' | 'fields'>,
) {
  return last === undefined ? fields.isEmpty : last.fields === fields && last.apiVersion === apiVersion;
}

/** Attributes all fields of an object without entries to a manager that represents writes before the first apply. */
function liveEntries(options: ApplyOptions, view: VersionView): Map<string, ManagedEntry> {
  const { shape, live, apiVersion, subresource = '', time, filter = everything } = options;
  const entries = readEntries(live?.metadata.managedFields, { trusted: true }).map((entry) => view.reconcile(entry));
  if (entries.length === 0 && live !== undefined) {
    const changes = new Changes({ view, before: zeroValue(shape), after: live, filter });
    const fields = changes.at(apiVersion)!.set;
    entries.push({ manager: beforeFirstApply, operation: 'Update', apiVersion, time, subresource, fields });
  }
  return new Map(entries.map((entry) => [identityOf(entry), entry]));
}

function findConflicts(others: readonly ManagedEntry[], changes: Changes): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const owner of others) {
    const fields = owner.fields.intersection(changes.at(owner.apiVersion)?.set ?? FieldSet.empty);
    if (!fields.isEmpty) conflicts.push({ owner, fields });
  }
  return conflicts;
}
