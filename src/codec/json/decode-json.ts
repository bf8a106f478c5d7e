import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../meta/decode-error.ts';
import { type ExactJson, parseExactly } from './parse-exactly.ts';

const none: readonly string[] = [];
const lineFeed = 0x0a;
/** Written with blanks, so that it cannot be equal to what is printed: there is no point in trying. */
const isSpaced = /^\{\s|^\{"[^"]*":\s/;

/**
 * The value of a JSON document. Of repeated keys the last one wins; integers that only an int64 holds exactly are
 * bigints. Throws `DecodeError` with Go's words.
 *
 * Nearly every document is read by `JSON.parse`, and printing the value again proves that nothing was lost: whatever
 * would not survive (repeated keys, long integers, `1.0`) makes the two texts differ.
 */
export function decodeJson(bytes: Buffer): ExactJson {
  if (!isUtf8(bytes)) throw new DecodeError('invalid UTF-8 in JSON input');
  // Go's encoder, and so most clients, end the document with a line feed.
  const end = bytes.at(-1) === lineFeed ? bytes.length - 1 : bytes.length;
  const text = bytes.toString('utf8', 0, end);
  if (isSpaced.test(text)) return parseExactly(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // For the words of the complaint.
    return parseExactly(text);
  }
  return isFaithful(text, value) ? { value, duplicates: none, source: undefined } : parseExactly(text);
}

function isFaithful(text: string, value: unknown): boolean {
  let printed: string;
  try {
    printed = JSON.stringify(value);
  } catch (error) {
    // Too deep to be printed. The exact parser knows how deep is too deep.
    if (error instanceof RangeError) return false;
    throw error;
  }
  // Half a surrogate pair is no character, but printed as it was read.
  return printed === text && !text.includes('\\ud');
}
