import { expect, it } from 'vitest';
import { utf8Bytes } from './utf8-bytes.ts';

const long = 'a'.repeat(10_000);

it.each<[string, string]>([
  ['nothing', ''],
  ['ASCII', '{"a":"b \\u003c"}'],
  ['control characters', '\u0000\u001f\u007f'],
  ['a character of two bytes in UTF-8 and one in memory', 'caf\u00e9'],
  ['the first such character', '\u0080'],
  // Its low byte is that of a letter.
  ['a character of two bytes in memory', '\u0141'],
  ['a character of three bytes', '\u20ac'],
  ['a pair of surrogates', '\ud83d\ude00'],
  ['a lone surrogate', 'a\ud83d'],
])('encodes %s as Buffer.from does', (_, text) => {
  for (const whole of [text, text + long, long + text, `${long}${text}${long}`]) {
    expect(utf8Bytes(whole).equals(Buffer.from(whole))).toBe(true);
  }
});
