import { crc32 } from 'node:zlib';

/** What the check of a stored value has found: numbers, because they go to the main thread among other numbers. */
export type Integrity = (typeof integrity)[keyof typeof integrity];

export const integrity = { whole: 0, unverified: 1, changed: 2, missing: 3, notBytes: 4 } as const;

/** Written with the value. */
export function checksumOf(value: Buffer): number {
  return crc32(value);
}

/** A null checksum comes from a release that wrote none. */
export function checkValue(value: Buffer, checksum: unknown): Integrity {
  if (checksum === null) return integrity.unverified;
  return crc32(value) === checksum ? integrity.whole : integrity.changed;
}
