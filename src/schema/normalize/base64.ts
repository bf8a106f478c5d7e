import { DecodeError } from '../../meta/decode-error.ts';

const alphabet = /[A-Za-z0-9+/]/;

/** Returns the canonical base64 text. Accepts line breaks and nonzero unused bits; rejects everything else. */
export function canonicalBase64(text: string): string {
  const canonical = Buffer.from(text, 'base64').toString('base64');
  if (canonical === text) return text;
  const corrupt = findCorruptByte(text);
  if (corrupt !== undefined) throw new DecodeError(`illegal base64 data at input byte ${corrupt}`);
  return canonical;
}

/** Finds the offset at which Go's decoder fails. Runs only for invalid input. */
function findCorruptByte(text: string): number | undefined {
  let filled = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isLineBreak(character)) continue;
    if (character === '=') return findCorruptPadding(text, { at, filled });
    if (!alphabet.test(character)) return at;
    filled = (filled + 1) % 4;
  }
  return filled === 0 ? undefined : text.length - filled;
}

function findCorruptPadding(text: string, { at, filled }: { at: number; filled: number }): number | undefined {
  if (filled < 2) return at;
  let next = skipLineBreaks(text, at + 1);
  if (filled === 2) {
    if (next === text.length) return next;
    if (text[next] !== '=') return next - 1;
    next = skipLineBreaks(text, next + 1);
  }
  return next === text.length ? undefined : next;
}

const isLineBreak = (character: string | undefined): boolean => character === '\n' || character === '\r';

function skipLineBreaks(text: string, from: number): number {
  let at = from;
  while (isLineBreak(text[at])) at++;
  return at;
}
