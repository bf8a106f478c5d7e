import { expect, it } from 'vitest';
import { patternSize } from './pattern-size.ts';

it('grows with the length of a pattern', () => {
  expect(patternSize('a'.repeat(1_000))).toBe(10 * patternSize('a'.repeat(100)));
});

it.each([
  ['repetitions', 'a{500}', 'a{5}'],
  ['repetitions up to a number', 'a{1,500}', 'a{1,5}'],
  ['repetitions from a number on', 'a{500,}', 'a{5,}'],
  ['classes of characters', '\\pL\\PN', 'aaa\\aaa'],
])('counts %s', (_what, large, small) => {
  expect(patternSize(large)).toBeGreaterThan(10 * patternSize(small));
});
