import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../meta/decode-error.ts';
import { type DocumentBounds, noBounds } from '../document-bounds.ts';
import { type ExactJson, parseExactly } from './parse-exactly.ts';
import { isPlainJson } from './plain-json.ts';

const none: readonly string[] = [];

/**
 * The value of a JSON document. Of repeated keys the last one wins; integers that only an int64 holds exactly are
 * bigints. Throws `DecodeError` with Go's words, also for a document beyond the bounds.
 *
 * Nearly every document is read by `JSON.parse`, after a look at its bytes has shown that nothing can be lost.
 */
export function decodeJson(bytes: Buffer, bounds: DocumentBounds = noBounds): ExactJson {
  const text = bytes.toString();
  if (!isUtf8(bytes)) {
    // What is no JSON at all is told as that.
    parseExactly(text, bounds);
    throw new DecodeError('invalid UTF-8 in JSON input');
  }
  if (!isPlainJson(bytes, bounds)) return parseExactly(text, bounds);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // For the words of the complaint.
    return parseExactly(text, bounds);
  }
  return { value, duplicates: none, source: undefined };
}
