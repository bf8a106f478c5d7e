import { Uint } from '../evaluate/values.ts';
import type { TokenKind } from './lexer.ts';

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const escapes = /\\(?:([abfnrtv"'`\\?])|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g;
const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** The value of a literal token, which may have a sign. Undefined when it has none. */
export function literalValue(kind: TokenKind, text: string): unknown {
  switch (kind) {
    case 'NUM_INT':
      return intLiteral(text);
    case 'NUM_UINT':
      return uintLiteral(text);
    case 'NUM_FLOAT':
      return doubleLiteral(text);
    case 'BYTES':
      return bytesLiteral(text);
    default:
      return stringLiteral(text);
  }
}

export function invalidLiteral(kind: TokenKind): string {
  const names: Partial<Record<TokenKind, string>> = { NUM_INT: 'int', NUM_UINT: 'uint', NUM_FLOAT: 'double' };
  const name = names[kind];
  if (name !== undefined) return `invalid ${name} literal`;
  return kind === 'BYTES' ? 'unable to unescape string' : 'invalid unicode code point';
}

/** The value of a string token. Undefined when an escape is not a valid character. */
function stringLiteral(token: string): string | undefined {
  const { content, raw } = contentOf(token);
  if (raw) return content;
  let valid = true;
  const text = content.replace(escapes, (_, simple, byte, octal, short, long) => {
    if (simple !== undefined) return simpleEscapes[simple] ?? simple;
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      valid = false;
      return '';
    }
    return String.fromCodePoint(code);
  });
  return valid ? text : undefined;
}

/** The value of a bytes token. Undefined when it has Unicode escapes. */
function bytesLiteral(token: string): Uint8Array | undefined {
  const { content, raw } = contentOf(token.slice(1));
  if (raw) return Buffer.from(content);
  const pieces: Buffer[] = [];
  let last = 0;
  for (const match of content.matchAll(escapes)) {
    const [whole, simple, byte, octal] = match;
    pieces.push(Buffer.from(content.slice(last, match.index)));
    last = match.index + whole.length;
    if (simple !== undefined) pieces.push(Buffer.from(simpleEscapes[simple] ?? simple));
    else if (byte !== undefined) pieces.push(Buffer.from([Number.parseInt(byte, 16)]));
    else if (octal !== undefined) pieces.push(Buffer.from([Number.parseInt(octal, 8)]));
    else return undefined;
  }
  pieces.push(Buffer.from(content.slice(last)));
  return new Uint8Array(Buffer.concat(pieces));
}

function contentOf(token: string): { readonly content: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(token);
  const text = raw ? token.slice(1) : token;
  const quotes = text.startsWith('"""') || text.startsWith("'''") ? 3 : 1;
  return { content: text.slice(quotes, -quotes).replace(/\r\n?/g, '\n'), raw };
}

/** The value of an integer token with an optional sign. Undefined when it does not fit. */
function intLiteral(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const size = BigInt(negative ? text.slice(1) : text);
  const value = negative ? -size : size;
  return value < minInt || value > maxInt ? undefined : value;
}

function uintLiteral(text: string): Uint | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? undefined : new Uint(value);
}

function doubleLiteral(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
