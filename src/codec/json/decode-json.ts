import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../meta/decode-error.ts';
import { type DocumentBounds, noBounds } from '../document-bounds.ts';
import { type ExactJson, maxDepth, parseExactly } from './parse-exactly.ts';
import { isPlainJson } from './plain-json.ts';

const none: readonly string[] = [];

/**
 * Parses a JSON document. The last of several duplicate keys wins. Integers that are exact as an int64 but not as a
 * number become bigints. Throws `DecodeError` with Go's error message, also when the document exceeds the bounds.
 *
 * `JSON.parse` handles nearly every document, after a scan of the bytes has shown that it loses no information.
 */
export function decodeJson(bytes: Buffer, bounds: DocumentBounds = noBounds): ExactJson {
  return plainDocument(bytes, bounds) ?? parsedExactly(bytes, bounds);
}

const backslash = 0x5c;
const openBrace = 0x7b;
/** In bytes. A document that is not longer cannot exceed the maximum depth. */
const maxNativeLength = 2 * maxDepth;
/**
 * A member or an element of a list that may not be exact, or a similar part of a string. It begins with the character
 * class, for which V8 searches fast, and then looks back at what precedes a colon.
 */
const inexactNumber = /[:,[](?<=["\s]:|[,[])\s*-?(?:\d{16}|\d+[.eE])/;

/**
 * Returns the value of a document, without the details. Before V8 has optimized the code, this takes a third of the time
 * of `decodeJson` for most documents that a server has encoded: nearly all of it runs natively.
 */
export function decodeJsonValue(bytes: Buffer): unknown {
  // With an escape, `JSON.parse` may read a key wrong (see `isPlainJson`).
  const isNative =
    bytes[0] === openBrace && bytes.length <= maxNativeLength && isUtf8(bytes) && !bytes.includes(backslash);
  if (!isNative) return decodeJson(bytes).value;
  const text = bytes.toString();
  if (inexactNumber.test(text)) return decodeJson(bytes).value;
  try {
    return JSON.parse(text);
  } catch {
    return decodeJson(bytes).value;
  }
}

function plainDocument(bytes: Buffer, bounds: DocumentBounds): ExactJson | undefined {
  if (!isUtf8(bytes) || !isPlainJson(bytes, bounds)) return undefined;
  try {
    return { value: JSON.parse(bytes.toString()), duplicates: none, source: undefined };
  } catch {
    // The general parser then produces Go's error message.
    return undefined;
  }
}

function parsedExactly(bytes: Buffer, bounds: DocumentBounds): ExactJson {
  const document = parseExactly(bytes.toString(), bounds);
  // Syntax errors take precedence over the encoding error.
  if (!isUtf8(bytes)) throw new DecodeError('invalid UTF-8 in JSON input');
  return document;
}
