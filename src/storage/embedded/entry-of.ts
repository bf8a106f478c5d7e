import type { StoredEntry, ValueIntegrity } from '../storage.ts';
import { type Integrity, integrity } from './integrity.ts';
import type { Version } from './packed-versions.ts';

const reasons: Readonly<Partial<Record<Integrity, string>>> = {
  [integrity.changed]: 'the checksum does not match the value',
  [integrity.missing]: 'the value is missing',
  [integrity.notBytes]: 'the value is not stored as bytes',
  [integrity.rowChanged]: 'the row is of another key or revision, or its checksum does not match',
  [integrity.rowMissing]: 'the row is missing',
  [integrity.indexChanged]: 'the indexes of the store disagree about its newest revision',
};

/** Main-thread side: converts a version of a key to the entry that callers of `Storage` get. */
export function entryOf(key: string, version: Version): StoredEntry {
  const { modRevision, createRevision, value } = version;
  if (version.integrity === integrity.intact) return { key, value, modRevision, createRevision };
  return { key, value, modRevision, createRevision, ...integrityOf(version) };
}

/** Returns undefined for an intact value, which is nearly always the case. */
export function integrityOf(version: Version | undefined): ValueIntegrity | undefined {
  if (version === undefined || version.integrity === integrity.intact) return undefined;
  if (version.integrity === integrity.unverified) return { unverified: true };
  return { corrupt: reasons[version.integrity] };
}
