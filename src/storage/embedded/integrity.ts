import { crc32 } from 'node:zlib';
import type { StoredEntry, ValueIntegrity } from '../storage.ts';
import type { Version } from './packed-versions.ts';

/** What the check of a stored value has found: numbers, because they go to the main thread among other numbers. */
export type Integrity = (typeof integrity)[keyof typeof integrity];

export const integrity = { whole: 0, unverified: 1, changed: 2, missing: 3, notBytes: 4 } as const;

const reasons: Readonly<Partial<Record<Integrity, string>>> = {
  [integrity.changed]: 'the checksum does not match the value',
  [integrity.missing]: 'the value is missing',
  [integrity.notBytes]: 'the value is not stored as bytes',
};

/** Written with the value. */
export function checksumOf(value: Buffer): number {
  return crc32(value);
}

/** A null checksum comes from a release that wrote none. */
export function checkValue(value: Buffer, checksum: unknown): Integrity {
  if (checksum === null) return integrity.unverified;
  return crc32(value) === checksum ? integrity.whole : integrity.changed;
}

/** Main thread side: what the rest of the server learns of a version. */
export function entryOf(key: string, version: Version): StoredEntry {
  const { modRevision, createRevision, value } = version;
  if (version.integrity === integrity.whole) return { key, value, modRevision, createRevision };
  return { key, value, modRevision, createRevision, ...integrityOf(version) };
}

/** Nothing for a whole value, which is nearly always the case. */
export function integrityOf(version: Version | undefined): ValueIntegrity | undefined {
  if (version === undefined || version.integrity === integrity.whole) return undefined;
  if (version.integrity === integrity.unverified) return { unverified: true };
  return { corrupt: reasons[version.integrity] };
}
