import type { ResourceObject } from '../../meta/object.ts';
import type { JsonObject } from '../json-object.ts';
import { capUpdaters } from './cap-updaters.ts';
import { changes, isNoChange, withoutChange } from './change.ts';
import { everything, type FieldFilter } from './field-filter.ts';
import { MalformedFieldsError } from './field-set.ts';
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
import { zeroValue } from './zero-value.ts';

export interface WriteOptions {
  readonly shape: StructShape;
  /** Who writes. */
  readonly manager: string;
  /** The version of the request, and of the objects given here. */
  readonly apiVersion: string;
  /** The door of the request; empty or absent for the main resource. */
  readonly subresource?: string;
  /** Now, as it is written into objects. */
  readonly time: string;
  /** What this door can change. Default: everything. */
  readonly filter?: FieldFilter;
  /** For kinds that are served in several versions. Without it, what was written in another version is forgotten. */
  readonly toVersion?: ToVersion;
}

export interface UpdateOptions extends WriteOptions {
  /** The stored object; undefined when this is a create. */
  readonly live: ResourceObject | undefined;
  /** What shall be stored, with defaults set, before admission plugins add to it. */
  readonly next: ResourceObject;
  /** `metadata.managedFields` as the client sent it, before it came into canonical form, which has no empty lists. */
  readonly sent?: unknown;
}

/**
 * `metadata.managedFields` of an object that is written in any way but apply. The writer owns what it changed or added,
 * and nobody else does; what it removed is owned by nobody. The list of the live object itself is returned when
 * nothing changes. An object whose entries have been reset stays without until it is applied.
 */
export function afterUpdate(options: UpdateOptions): readonly unknown[] | undefined {
  const { live, next, shape, apiVersion, filter = everything, toVersion } = options;
  const stored = live?.metadata.managedFields;
  const known = knownEntries(options);
  if (known.entries.length === 0 && live !== undefined) return undefined;
  const view = new VersionView({ shape, apiVersion, toVersion });
  const changeAt = changes({ view, before: live ?? zeroValue(shape), after: next, filter });
  const own = changeAt(apiVersion)!;
  if (isNoChange(own) && known.isStored) return stored;

  const entries = new Map<string, ManagedEntry>();
  for (const entry of known.entries) {
    const rest = withoutChange(view.reconcile(entry), changeAt);
    if (rest !== undefined && !rest.fields.isEmpty) entries.set(identityOf(rest), rest);
  }
  if (!own.set.isEmpty) {
    const { manager, time, subresource = '' } = options;
    const entry: ManagedEntry = { manager, operation: 'Update', apiVersion, time, subresource, fields: own.set };
    const id = identityOf(entry);
    const previous = entries.get(id);
    entries.set(id, previous === undefined ? entry : { ...entry, fields: own.set.union(previous.fields) });
  }
  return writeEntries([...capUpdaters(entries).values()]);
}

interface KnownEntries {
  readonly entries: readonly ManagedEntry[];
  /** They are those of the live object, as they are. */
  readonly isStored: boolean;
}

/**
 * Clients may rewrite the entries through the main resource. Those who do not know of them, or garble them, do not lose
 * them.
 */
function knownEntries({ live, sent, subresource = '' }: UpdateOptions): KnownEntries {
  const stored = live?.metadata.managedFields;
  if (live === undefined) return { entries: [], isStored: true };
  if (subresource === '' && isReset(sent)) return { entries: [], isStored: false };
  if (subresource === '' && Array.isArray(sent) && !sameValue(anyShape, sent, stored)) {
    const rewritten = readOrNone(sent, false);
    if (rewritten.length > 0) return { entries: rewritten, isStored: false };
  }
  return { entries: readOrNone(stored, true), isStored: true };
}

function readOrNone(values: readonly unknown[] | undefined, trusted: boolean): ManagedEntry[] {
  try {
    return readEntries(values, { trusted });
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
