import { DecodeError } from '../decode-error.ts';

const singleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
// Escaped bytes are decoded together, because several of them may encode one character.
const escapes = /((?:\\x[\da-fA-F]{2}|\\[0-3][0-7]{2})+)|\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]?))/g;

/** Returns the content of a quoted string with the escapes of Go. */
export function unquote(quoted: string): string {
  const quote = quoted[0]!;
  return quoted.slice(1, -1).replace(escapes, (_all, bytes, short, long, single) => {
    if (bytes !== undefined) return bytesText(bytes);
    const digits: string | undefined = short ?? long;
    const text = digits === undefined ? (single === quote ? quote : singleEscapes[single]) : codeText(digits);
    if (text === undefined) throw new DecodeError(`unquote string ${quoted} error invalid syntax`);
    return text;
  });
}

function bytesText(escaped: string): string {
  const codes = escaped.slice(1).split('\\');
  return Buffer.from(
    codes.map((code) => (code.startsWith('x') ? parseInt(code.slice(1), 16) : parseInt(code, 8))),
  ).toString();
}

function codeText(digits: string): string | undefined {
  const code = parseInt(digits, 16);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
