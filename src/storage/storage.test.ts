import { expect, test } from 'vitest';
import { prefixEnd } from './storage.ts';

test.each([
  { prefix: '/a/', end: '/a0' },
  { prefix: 'z', end: '{' },
  { prefix: '\u007f', end: '\u0080' },
  { prefix: 'a\ud7ff', end: 'a\ue000' },
  { prefix: 'a\u{10000}', end: 'a\u{10001}' },
  { prefix: 'a\u{103ff}', end: 'a\u{10400}' },
  { prefix: 'a\u{10ffff}\u{10ffff}', end: 'b' },
])('the keys with prefix $prefix end before $end', ({ prefix, end }) => {
  expect(prefixEnd(prefix)).toBe(end);
  const bytes = (text: string): Buffer => Buffer.from(text);
  expect(Buffer.compare(bytes(`${prefix}\u{10ffff}`), bytes(end))).toBe(-1);
});
