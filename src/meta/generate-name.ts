import { randomInt } from 'node:crypto';

/** Has no vowels and no characters that look alike, so that generated names are neither offensive nor ambiguous. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxLength = 63;

/** Returns a name that starts with `prefix`, truncated so that the name is also a valid label value. */
export function generateName(prefix: string): string {
  let suffix = '';
  for (let count = 0; count < suffixLength; count++) suffix += alphabet[randomInt(alphabet.length)];
  return cut(prefix, maxLength - suffixLength) + suffix;
}

function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text).subarray(0, maxBytes).toString();
}
