import { createHash } from 'node:crypto';

/** Identifies the content of a document by 128 hexadecimal digits. */
export function contentHash(bytes: Buffer): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** The value of an ETag header for a hash. */
export function entityTag(hash: string): string {
  return `"${hash}"`;
}
