import type { JsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { capUpdaters } from './cap-updaters.ts';
import { Changes, isNoChange, withoutChange } from './change.ts';
import { everything, type FieldFilter } from './field-filter.ts';
import { FieldSet, MalformedFieldsError } from './field-set.ts';
import {
  identityOf,
  isReset,
  MalformedEntryError,
  type ManagedEntry,
  readEntries,
  writeEntries,
} from './managed-entry.ts';
import { sameValue } from './same-value.ts';
import { anyShape, type StructShape } from './shape.ts';
import { type ToVersion, VersionView } from './version-view.ts';
import { newTree } from './whole-tree.ts';
import { zeroValue } from './zero-value.ts';

export interface WriteOptions {
  readonly shape: StructShape;
  /** The field manager of the request. */
  readonly manager: string;
  /** The API version of the request and of the objects given here. */
  readonly apiVersion: string;
  /** The subresource of the request; empty or absent for the main resource. */
  readonly subresource?: string;
  /** The current time, formatted as in objects. */
  readonly time: string;
  /** Selects the fields that this endpoint can change. Default: all fields. */
  readonly filter?: FieldFilter;
  /** Required for kinds served in several versions. Without it, entries written in other versions are dropped. */
  readonly toVersion?: ToVersion;
}

export interface UpdateOptions extends WriteOptions {
  /** The stored object; undefined for a create. */
  readonly live: ResourceObject | undefined;
  /** The object to store, with defaults applied, before mutating admission. */
  readonly next: ResourceObject;
  /**
   * `metadata.managedFields` as the client sent it. The canonical form has no empty lists, so a reset is visible only
   * here.
   */
  readonly sent?: unknown;
}

/**
 * Computes `metadata.managedFields` of an object after any write other than apply. The manager becomes the only owner
 * of the fields that it changed or added. Fields that it removed have no owner. Returns the list of the live object
 * itself when nothing changes, or when the change is about a list with an item that lacks its key. An object whose
 * entries were reset has no entries until it is next applied, and neither has one with fields that the version of
 * another entry does not declare.
 */
export function afterUpdate(options: UpdateOptions): readonly unknown[] | undefined {
  const { live, next, shape, apiVersion, filter = everything, toVersion } = options;
  const liveEntries = live?.metadata.managedFields;
  if (live === undefined) {
    const fields = fieldsOfNew(options);
    if (fields !== undefined) return fields.isEmpty ? undefined : writeEntries([ownEntry(options, fields)]);
  }
  const known = knownEntries(options);
  if (known.entries.length === 0 && live !== undefined) return undefined;
  const view = new VersionView({ shape, apiVersion, toVersion });
  const changes = new Changes({ view, before: live ?? zeroValue(shape), after: next, filter });
  const own = changes.at(apiVersion)!;
  // As in Kubernetes: the fields of such an object have no paths, so nothing is recorded.
  if (own.hasNameless) return known.isUnchanged ? liveEntries : writeEntries([...known.entries]);
  if (isNoChange(own) && known.isUnchanged) return liveEntries;

  const entries = new Map<string, ManagedEntry>();
  const written = ownEntry(options, own.set);
  const ownId = identityOf(written);
  let kept = FieldSet.empty;
  for (const entry of known.entries) {
    const reconciled = view.reconcile(entry);
    const id = identityOf(entry);
    if (id === ownId && !own.set.isEmpty) {
      // Fields that are set again are not removed first: if the set already contains all of them, it stays the same
      // object, whose text is cached.
      kept = reconciled.fields.difference(own.removed);
      continue;
    }
    const rest = withoutChange(reconciled, changes);
    if (rest !== undefined && !rest.fields.isEmpty) entries.set(id, rest);
  }
  // As in Kubernetes: fields that a version does not declare cannot be compared with the fields of its managers.
  if (view.hasPruned) return undefined;
  if (!own.set.isEmpty) entries.set(ownId, { ...written, fields: kept.union(own.set) });
  return writeEntries([...capUpdaters(entries).values()]);
}

/** Returns the fields that a new object sets. Undefined when a comparison is needed to determine them. */
function fieldsOfNew({ shape, apiVersion, next, filter = everything }: UpdateOptions): FieldSet | undefined {
  if ((next.apiVersion ?? apiVersion) !== apiVersion) return undefined;
  const tree = newTree(shape, next as unknown as JsonObject);
  return tree === null ? undefined : filter(FieldSet.of(tree));
}

function ownEntry({ manager, apiVersion, time, subresource = '' }: UpdateOptions, fields: FieldSet): ManagedEntry {
  return { manager, operation: 'Update', apiVersion, time, subresource, fields };
}

interface KnownEntries {
  readonly entries: readonly ManagedEntry[];
  /** Whether the entries are those of the live object, unchanged. */
  readonly isUnchanged: boolean;
}

/**
 * Returns the entries to start from. Clients may rewrite entries through the main resource. When a client omits the
 * entries or sends malformed ones, the stored entries are kept.
 */
function knownEntries({ live, sent, subresource = '' }: UpdateOptions): KnownEntries {
  const liveEntries = live?.metadata.managedFields;
  if (live === undefined) return { entries: [], isUnchanged: true };
  if (subresource === '' && isReset(sent)) return { entries: [], isUnchanged: false };
  if (subresource === '' && Array.isArray(sent) && !sameValue(anyShape, sent, liveEntries)) {
    const rewritten = readOrNone(sent, { trusted: false });
    if (rewritten.length > 0) return { entries: rewritten, isUnchanged: false };
  }
  return { entries: readOrNone(liveEntries, { trusted: true }), isUnchanged: true };
}

function readOrNone(...input: Parameters<typeof readEntries>): ManagedEntry[] {
  try {
    return readEntries(...input);
  } catch (error) {
    if (error instanceof MalformedEntryError || error instanceof MalformedFieldsError) return [];
    throw error;
  }
}

export function withManagedFields(object: JsonObject, managedFields: readonly unknown[] | undefined): ResourceObject {
  const { managedFields: _old, ...metadata } = (object.metadata ?? {}) as JsonObject;
  return {
    ...object,
    metadata: managedFields === undefined ? metadata : { ...metadata, managedFields },
  } as ResourceObject;
}
