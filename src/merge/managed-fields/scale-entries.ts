import { FieldSet } from './field-set.ts';
import { identityOf, type ManagedEntry, readEntries, writeEntries } from './managed-entry.ts';
import type { PathElement } from './path-element.ts';

export interface ScaledKind {
  /** The version of the request for the object itself. */
  readonly apiVersion: string;
  /** Where each version of the kind keeps the number of replicas. Undefined: that version has no scale. */
  readonly replicas: ReadonlyMap<string, readonly PathElement[] | undefined>;
}

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = FieldSet.ofPaths(['f:spec', 'f:replicas']);

/** The entries of an object as those of its Scale: of all they own, the number of replicas. */
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
 * The entries of the object after its Scale was written: those who do not own the number of replicas there any more do not
 * here, and who came to own it does. Such newcomers have no time.
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

/** Versions do not count: all of them are the one of Scale there. */
function scaleIdentity(entry: ManagedEntry): string {
  return identityOf({ ...entry, apiVersion: scaleVersion });
}
