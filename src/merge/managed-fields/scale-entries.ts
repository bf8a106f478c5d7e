import { FieldSet } from './field-set.ts';
import { identityOf, type ManagedEntry, readEntries, writeEntries } from './managed-entry.ts';
import type { PathElement } from './path-element.ts';

export interface ScaledKind {
  /** The API version of the request for the scaled object. */
  readonly apiVersion: string;
  /** The path of the replica count in each version of the kind. Undefined for a version without a scale subresource. */
  readonly replicas: ReadonlyMap<string, readonly PathElement[] | undefined>;
}

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = FieldSet.ofPaths(['f:spec', 'f:replicas']);

/** Converts the entries of an object to those of its Scale, which has only the replica count. */
export function toScaleEntries(
  values: readonly unknown[] | undefined,
  { replicas }: ScaledKind,
): unknown[] | undefined {
  return writeEntries(
    readEntries(values, { trusted: true }).flatMap((entry) => {
      const path = replicas.get(entry.apiVersion);
      if (path === undefined || !entry.fields.has(path)) return [];
      return [{ ...entry, apiVersion: scaleVersion, fields: replicasOfScale }];
    }),
  );
}

/**
 * Converts the entries of a Scale back to those of the object after a write. Managers that no longer own the replica
 * count of the Scale lose it here as well, and new owners gain it. Entries of new owners have no time.
 */
export function fromScaleEntries(
  values: readonly unknown[] | undefined,
  scaleValues: readonly unknown[] | undefined,
  { apiVersion, replicas }: ScaledKind,
): unknown[] | undefined {
  const scaleEntries = entriesById(scaleValues);
  const result: ManagedEntry[] = [];
  for (const entry of readEntries(values, { trusted: true })) {
    if (!replicas.has(entry.apiVersion)) continue;
    const path = replicas.get(entry.apiVersion);
    const id = scaleIdentity(entry);
    if (path === undefined || !entry.fields.has(path)) {
      result.push(entry);
    } else if (scaleEntries.delete(id)) {
      result.push(entry);
    } else {
      result.push({ ...entry, fields: entry.fields.difference(FieldSet.ofPaths(path)) });
    }
  }
  const path = replicas.get(apiVersion);
  if (path === undefined) return writeEntries(result);
  const fields = FieldSet.ofPaths(path);
  for (const entry of scaleEntries.values()) result.push({ ...entry, apiVersion, time: undefined, fields });
  return writeEntries(result);
}

function entriesById(values: readonly unknown[] | undefined): Map<string, ManagedEntry> {
  return new Map(readEntries(values, { trusted: true }).map((entry) => [scaleIdentity(entry), entry]));
}

/** Ignores the version, because all entries of a Scale have the version of Scale. */
function scaleIdentity(entry: ManagedEntry): string {
  return identityOf({ ...entry, apiVersion: scaleVersion });
}
