import { isAscii } from 'node:buffer';

/** Matches characters that take two bytes in memory. V8 need not search a text that has none. */
const wide = /[\u0100-\uffff]/;

/** Encodes a text as UTF-8. Most documents are ASCII, and copying their characters costs a third of encoding them. */
export function utf8Bytes(text: string): Buffer {
  if (wide.test(text)) return Buffer.from(text);
  const bytes = Buffer.from(text, 'latin1');
  return isAscii(bytes) ? bytes : Buffer.from(text);
}
