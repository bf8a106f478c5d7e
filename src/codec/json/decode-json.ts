import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../meta/decode-error.ts';
import { type DocumentBounds, noBounds } from '../document-bounds.ts';
import { type ExactJson, parseExactly } from './parse-exactly.ts';
import { isPlainJson } from './plain-json.ts';

const none: readonly string[] = [];

/**
 * Parses a JSON document. The last of several duplicate keys wins. Integers that are exact as an int64 but not as a
 * number become bigints. Throws `DecodeError` with Go's error message, also when the document exceeds the bounds.
 *
 * `JSON.parse` handles nearly every document, after a scan of the bytes has shown that it loses no information.
 */
export function decodeJson(bytes: Buffer, bounds: DocumentBounds = noBounds): ExactJson {
  const text = bytes.toString();
  if (!isUtf8(bytes)) {
    // Syntax errors take precedence over the encoding error.
    parseExactly(text, bounds);
    throw new DecodeError('invalid UTF-8 in JSON input');
  }
  if (!isPlainJson(bytes, bounds)) return parseExactly(text, bounds);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Parse again for Go's error message.
    return parseExactly(text, bounds);
  }
  return { value, duplicates: none, source: undefined };
}
