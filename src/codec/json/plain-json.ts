import { type DocumentBounds, noBounds } from '../document-bounds.ts';
import { safeDigits } from './json-scanner.ts';
import { OpenKeys } from './open-keys.ts';
import { StringSearch } from './string-search.ts';

const blank = 0x20;
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const lowerE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lowerCase = 0x20;

/** The multiplier of the hash of keys (the 32-bit FNV prime). */
const hashFactor = 0x01000193;

/**
 * Returns true if `JSON.parse` loses no information of a document: no object has duplicate keys, every number is exact
 * and is printed as it was written, no escape is a lone surrogate, and the document is within the bounds. May return
 * false for such a document, too. The result for an invalid document is unspecified. Makes one pass over the bytes,
 * which costs about half as much as parsing them.
 *
 * A key with an escape is not plain: it may equal a key that is written without one, and V8 since 12.8 reads it wrong
 * if an earlier document had a certain other key (nodejs/node#63785).
 */
export function isPlainJson(bytes: Buffer, { maxValues, maxKeys }: DocumentBounds = noBounds): boolean {
  const end = bytes.length;
  const keys = new OpenKeys(maxKeys);
  const strings = new StringSearch(bytes);
  let isKeyNext = false;
  let values = 0;
  let at = 0;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte === quote) {
      if (isKeyNext) {
        let hash = 0;
        for (let next = bytes[at++]; next !== quote; next = bytes[at++]) {
          if (next === undefined || next === backslash) return false;
          hash = (Math.imul(hash, hashFactor) + next) | 0;
        }
        if (!keys.add(hash)) return false;
        isKeyNext = false;
      } else {
        at = strings.endFrom(at);
        if (at < 0) return false;
      }
    } else if (byte <= blank) {
      while (at < end && bytes[at]! <= blank) at++;
    } else if (byte === comma) {
      isKeyNext = keys.isInObject;
      if (++values > maxValues) return false;
    } else if (byte === openBrace) {
      isKeyNext = true;
      values++;
      if (!keys.openObject()) return false;
    } else if (byte === openBracket) {
      isKeyNext = false;
      values++;
      if (!keys.openList()) return false;
    } else if (byte === closeBrace || byte === closeBracket) {
      isKeyNext = false;
      if (!keys.close()) return false;
    } else if (byte <= nine && (byte >= zero || byte === minus)) {
      at = endOfNumber(bytes, at - 1);
      if (at < 0) return false;
    }
  }
  return true;
}

/** Returns the offset after a number, or -1 if the number is not plain. */
function endOfNumber(bytes: Buffer, start: number): number {
  let isShort = bytes[start] !== minus;
  let at = start + 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= zero && byte <= nine) continue;
    if (byte !== point && (byte | lowerCase) !== lowerE && byte !== minus && byte !== plus) break;
    isShort = false;
  }
  isShort &&= at - start <= safeDigits;
  return isShort || isPlainNumber(bytes.toString('latin1', start, at)) ? at : -1;
}

function isPlainNumber(text: string): boolean {
  const value = Number(text);
  return String(value) === text && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
