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
  return plainDocument(bytes, bounds) ?? parsedExactly(bytes, bounds);
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
