import { expect, test } from 'vitest';
import { field, int32, json, listOf, mapOf, quantity, string, struct } from '../../schema/builders.ts';
import { isSameOfType } from './same-of-type.ts';

const Part = struct('test/v1.Part', () => ({
  size: field(1, quantity, { pointer: true }),
  name: field(2, string),
}));

const Whole = struct('test/v1.Whole', () => ({
  count: field(1, int32),
  limit: field(2, int32, { pointer: true }),
  sizes: field(3, mapOf(quantity)),
  part: field(4, Part),
  option: field(5, Part, { pointer: true }),
  parts: field(6, listOf(Part)),
  any: field(7, json, { pointer: true }),
  part2: field(8, Part, { inline: true }),
}));

test.each<[string, object, object, boolean]>([
  ['the same amount', { sizes: { a: '1Gi' } }, { sizes: { a: '1073741824' } }, true],
  ['another amount', { sizes: { a: '1Gi' } }, { sizes: { a: '1G' } }, false],
  ['the same amount in a list', { parts: [{ size: '1' }] }, { parts: [{ size: '1e0' }] }, true],
  ['the same amount in an inline struct', { size: '1' }, { size: '1000m' }, true],
  ['a text that looks like the same amount', { name: '1' }, { name: '1000m' }, false],
  ['an arbitrary value that looks like the same amount', { any: { a: '1' } }, { any: { a: '1000m' } }, false],
  ['another name', { sizes: { a: '1' } }, { sizes: { b: '1' } }, false],
  ['one name more', { sizes: { a: '1' } }, { sizes: { a: '1', b: '1' } }, false],
  ['none for an empty list', { parts: [] }, {}, true],
  ['none for an empty map', {}, { sizes: {} }, true],
  ['a shorter list', { parts: [{}] }, {}, false],
  ['none for zero', { count: 0 }, {}, true],
  ['none for a pointer to zero', { limit: 0 }, {}, false],
  ['none for an empty struct', { part: {} }, {}, true],
  ['none for a pointer to an empty struct', { option: {} }, {}, false],
  ['a field of another type', { colour: 'red' }, {}, true],
])('%s', (_what, left, right, same) => {
  expect(isSameOfType(Whole, left, right)).toBe(same);
  expect(isSameOfType(Whole, right, left)).toBe(same);
});
