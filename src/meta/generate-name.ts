import { randomInt } from 'node:crypto';

/** No vowels and no characters that look alike: nothing offensive or ambiguous can come out. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxLength = 63;

/** A name that starts with `prefix`, cut so that the name can also be a label value. */
export function generateName(prefix: string): string {
  let suffix = '';
  for (let count = 0; count < suffixLength; count++) suffix += alphabet[randomInt(alphabet.length)];
  return cut(prefix, maxLength - suffixLength) + suffix;
}

function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text).subarray(0, maxBytes).toString();
}
