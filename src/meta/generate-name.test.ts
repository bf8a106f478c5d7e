import { expect, test } from 'vitest';
import { generateName } from './generate-name.ts';

test('appends five characters of the alphabet', () => {
  for (let count = 0; count < 200; count++) {
    expect(generateName('web-')).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  }
});

test('generates different names', () => {
  expect(new Set(Array.from({ length: 200 }, () => generateName('a'))).size).toBeGreaterThan(195);
});

test('truncates the prefix so that the name is a valid label value', () => {
  expect(generateName('x'.repeat(58))).toHaveLength(63);
  expect(generateName('x'.repeat(80))).toMatch(/^x{58}.{5}$/);
  expect(generateName('')).toHaveLength(5);
});

test('the limit counts bytes', () => {
  expect(Buffer.byteLength(generateName('é'.repeat(40)))).toBe(63);
});
