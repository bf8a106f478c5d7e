import { expect, it } from 'vitest';
import { isBase64 } from './is-base64.ts';

it.each<[string, boolean]>([
  ['', false],
  ['=', false],
  ['====', false],
  ['AAAA', true],
  ['AA==', true],
  ['AAA=', true],
  ['A===', false],
  ['AA=A', false],
  ['AAAAA', false],
  ['AAAAAA==', true],
  ['ab+/', true],
  ['ab-_', false],
  ['AAA\n', false],
  ['AAAA\n', false],
])('%j is base64: %s', (text, expected) => {
  expect(isBase64(text)).toBe(expected);
});
