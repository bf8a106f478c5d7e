import { crc32 } from 'node:zlib';

/**
 * The result of checking a stored version. It is a number because it is packed with other numbers for the main thread.
 */
export type Integrity = (typeof integrity)[keyof typeof integrity];

export const integrity = {
  intact: 0,
  unverified: 1,
  changed: 2,
  missing: 3,
  notBytes: 4,
  rowChanged: 5,
  rowMissing: 6,
  indexChanged: 7,
} as const;

/** Stored together with the value. */
export function checksumOf(value: Buffer): number {
  return crc32(value);
}

/** A null checksum comes from a release that did not write checksums. */
export function checkValue(value: Buffer, checksum: unknown): Integrity {
  if (checksum === null) return integrity.unverified;
  return crc32(value) === checksum ? integrity.intact : integrity.changed;
}

/** The columns of a row that say of which change it is. A damaged file may hold anything. */
export interface RowIdentity {
  readonly revision: unknown;
  readonly key: unknown;
  /** 0 for a deletion. */
  readonly createRevision: unknown;
  readonly previousRevision: unknown;
}

const numberBytes = 3 * Float64Array.BYTES_PER_ELEMENT;
let scratch = Buffer.alloc(4096);

/** Undefined if the columns have other types than those of a row. */
export function rowChecksumOf({ revision, key, createRevision, previousRevision }: RowIdentity): number | undefined {
  if (typeof key !== 'string' || typeof revision !== 'number') return undefined;
  if (typeof createRevision !== 'number' || typeof previousRevision !== 'number') return undefined;
  // A character of a string has at most three bytes.
  const size = numberBytes + 3 * key.length;
  if (scratch.length < size) scratch = Buffer.alloc(2 * size);
  scratch.writeDoubleLE(revision, 0);
  scratch.writeDoubleLE(createRevision, 8);
  scratch.writeDoubleLE(previousRevision, 16);
  const end = numberBytes + scratch.write(key, numberBytes);
  return crc32(scratch.subarray(0, end));
}
