import { DecodeError } from '../../meta/decode-error.ts';

const escaped = /[<>&\u2028\u2029]/;
const allEscaped = /[<>&\u2028\u2029]/g;

/**
 * Encodes compact JSON as Go does: bigints as integers, and characters that are special in HTML escaped. Throws
 * `DecodeError` for a value that is nested too deeply, because such a value comes from a client.
 */
export function encodeJson(value: unknown): string {
  const text = stringify(value);
  return escaped.test(text) ? text.replace(allEscaped, escapeCharacter) : text;
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('exceeded max depth', { cause: error });
    if (!isBigIntError(error)) throw error;
    return JSON.stringify(value, rawBigInt);
  }
}

const isBigIntError = (error: unknown): boolean => error instanceof TypeError && /BigInt/.test(error.message);

/** Available since Node 21, but not yet declared in the type library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** A replacer for `JSON.stringify` that writes bigints as integers. */
export function rawBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
