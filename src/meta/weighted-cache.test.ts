import { expect, it } from 'vitest';
import { WeightedCache } from './weighted-cache.ts';

const weights = { a: 4, b: 4, c: 4, d: 1, e: 1, f: 1, g: 10, h: 11 };

it.each<[string, string]>([
  ['ab', 'ab'],
  ['abc', 'c'],
  ['abdef', 'ef'],
  ['defa', 'a'],
  ['ag', 'g'],
  ['gd', 'd'],
  ['ah', 'a'],
])('after %s contains %s, with at most three values and a weight of 10', (added, expected) => {
  const cache = new WeightedCache<string>({ maxSize: 3, maxWeight: 10 });
  for (const key of added) cache.set(key, key, weights[key as keyof typeof weights]);
  expect(
    Object.keys(weights)
      .filter((key) => cache.get(key) === key)
      .join(''),
  ).toBe(expected);
});
