import { expect, it } from 'vitest';
import { goQuote, goQuoteList } from './go-quote.ts';

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');

it.each<[string, string]>([
  ['', '""'],
  ['plain text', '"plain text"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\u0007\b\f\n\r\t\v\u0000\u001f\u007f', '"\\a\\b\\f\\n\\r\\t\\v\\x00\\x1f\\x7f"'],
  ['é €', '"é €"'],
  ['\u00a0\u2028\ufeff', '"\\u00a0\\u2028\\ufeff"'],
  ['😀\u{e0001}', '"😀\\U000e0001"'],
])('quotes %j', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});

it('quotes every character of ASCII as in a text with other characters', () => {
  expect(`${goQuote(ascii).slice(0, -1)}é"`).toBe(goQuote(`${ascii}é`));
});

it.each([
  [[], '[]'],
  [['a', 'b"c'], '["a" "b\\"c"]'],
])('quotes the list %j', (texts, quoted) => {
  expect(goQuoteList(texts)).toBe(quoted);
});
