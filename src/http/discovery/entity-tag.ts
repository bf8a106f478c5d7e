import { createHash } from 'node:crypto';

/** Identifies the content of a document by 128 hexadecimal digits. */
export function contentHash(bytes: Buffer): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** The value of an ETag header for a hash. */
export function entityTag(hash: string): string {
  return `"${hash}"`;
}

/** Whether an If-None-Match header contains the tag. Weak tags match too, as RFC 9110 specifies for this header. */
export function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
