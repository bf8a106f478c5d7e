import { crc32 } from 'node:zlib';

/**
 * The result of checking a stored value. It is a number because it is packed with other numbers for the main thread.
 */
export type Integrity = (typeof integrity)[keyof typeof integrity];

export const integrity = { whole: 0, unverified: 1, changed: 2, missing: 3, notBytes: 4 } as const;

/** Stored together with the value. */
export function checksumOf(value: Buffer): number {
  return crc32(value);
}

/** A null checksum comes from a release that did not write checksums. */
export function checkValue(value: Buffer, checksum: unknown): Integrity {
  if (checksum === null) return integrity.unverified;
  return crc32(value) === checksum ? integrity.whole : integrity.changed;
}
