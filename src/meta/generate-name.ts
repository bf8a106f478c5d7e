import { type IdentitySource, randomIdentity } from './identity-source.ts';

/** Has no vowels and no characters that look alike, so that generated names are neither offensive nor ambiguous. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxLength = 63;

export interface NameSource {
  readonly identity?: IdentitySource;
  readonly of?: string;
}

/**
 * Returns a name that starts with `prefix`, truncated so that the name is also a valid label value. `of` is the purpose
 * of the name.
 */
export function generateName(prefix: string, { identity = randomIdentity, of = '' }: NameSource = {}): string {
  let suffix = '';
  for (let count = 0; count < suffixLength; count++) suffix += alphabet[identity.integer(alphabet.length, of)];
  return truncate(prefix, maxLength - suffixLength) + suffix;
}

function truncate(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text).subarray(0, maxBytes).toString();
}
