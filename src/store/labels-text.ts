const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const metadataName = Buffer.from('metadata');
const labelsName = Buffer.from('labels');
const absent = -1;
const unexpected = -2;

/**
 * The JSON text of `metadata.labels`, found without parsing anything else; `{}` when there are none. Undefined when the
 * document is not written as the encoder writes, without blanks and without escapes in names that need none: then only a
 * parser can tell.
 */
export function labelsText(document: Buffer): string | undefined {
  const metadata = document[0] === openBrace ? memberAt(document, 0, metadataName) : unexpected;
  if (metadata < 0 || document[metadata] !== openBrace) return undefined;
  const labels = memberAt(document, metadata, labelsName);
  if (labels < 0) return labels === absent ? '{}' : undefined;
  const end = valueEnd(document, labels);
  return document[end] === comma || document[end] === closeBrace ? document.toString('utf8', labels, end) : undefined;
}

/** Where the value of a member begins; the object opens at `open`. */
function memberAt(document: Buffer, open: number, name: Buffer): number {
  let at = open + 1;
  if (document[at] === closeBrace) return absent;
  while (document[at] === quote) {
    const nameEnd = plainStringEnd(document, at);
    if (document[nameEnd] !== colon) return unexpected;
    const value = nameEnd + 1;
    if (isName(document, at, name)) return value;
    const end = valueEnd(document, value);
    if (document[end] === closeBrace) return absent;
    if (document[end] !== comma) return unexpected;
    at = end + 1;
  }
  return unexpected;
}

function isName(document: Buffer, open: number, name: Buffer): boolean {
  if (document[open + 1 + name.length] !== quote) return false;
  for (let index = 0; index < name.length; index++) {
    if (document[open + 1 + index] !== name[index]) return false;
  }
  return true;
}

/** Behind a string that opens here and has no escapes; otherwise the end of the document, where no string ends. */
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

/** Behind a value of any kind. */
function valueEnd(document: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < document.length) {
    const byte = document[at];
    if (byte === quote) {
      at = stringEnd(document, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      // What closes here, without having been opened, is around a number or a word.
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at;
    at++;
  }
  return at;
}
