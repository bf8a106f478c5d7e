/**
 * Finds values, without parsing, in documents that are formatted as the encoder writes them: no white space, and no
 * unnecessary escapes in member names.
 */

const quote = 0x22;
export const comma = 0x2c;
const colon = 0x3a;
export const openBracket = 0x5b;
const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

export const noMember = -1;
/** The document is formatted differently, so that a parser is needed. */
export const otherSpelling = -2;

/** Returns the offset of a member's value in the object that begins at offset `open`. */
export function memberAt(document: Buffer, open: number, name: Buffer): number {
  if (document[open] !== openBrace) return otherSpelling;
  let at = open + 1;
  if (document[at] === closeBrace) return noMember;
  while (document[at] === quote) {
    const nameEnd = plainStringEnd(document, at);
    if (document[nameEnd] !== colon) return otherSpelling;
    const value = nameEnd + 1;
    if (isName(document, at, name)) return value;
    const end = valueEnd(document, value);
    if (document[end] === closeBrace) return noMember;
    if (document[end] !== comma) return otherSpelling;
    at = end + 1;
  }
  return otherSpelling;
}

function isName(document: Buffer, open: number, name: Buffer): boolean {
  if (document[open + 1 + name.length] !== quote) return false;
  for (let index = 0; index < name.length; index++) {
    if (document[open + 1 + index] !== name[index]) return false;
  }
  return true;
}

/** Returns the offset after a string without escapes. Returns the document's length if the string has escapes. */
function plainStringEnd(document: Buffer, open: number): number {
  let at = open + 1;
  for (let byte = document[at]; byte !== quote; byte = document[at]) {
    if (byte === undefined || byte === backslash) return document.length;
    at++;
  }
  return at + 1;
}

function stringEnd(document: Buffer, open: number): number {
  let at = open + 1;
  for (let byte = document[at]; byte !== quote; byte = document[at]) {
    if (byte === undefined) return document.length;
    at += byte === backslash ? 2 : 1;
  }
  return at + 1;
}

/** Returns the offset after a value. `depth` is the number of containers of the value that are open at `start`. */
export function valueEnd(document: Buffer, start: number, depth = 0): number {
  let open = depth;
  let at = start;
  while (at < document.length) {
    const byte = document[at];
    if (byte === quote) {
      at = stringEnd(document, at);
      if (open === 0) return at;
      continue;
    }
    if (byte === openBrace || byte === openBracket) open++;
    else if (byte === closeBrace || byte === closeBracket) {
      // This bracket closes the container of a number or literal, which ends here.
      if (open === 0) return at;
      open--;
      if (open === 0) return at + 1;
    } else if (byte === comma && open === 0) return at;
    at++;
  }
  return at;
}
