import { expect, test } from 'vitest';
import { field, int32, listOf, mapOf, string, struct } from '../../schema/builders.ts';
import { patchInErrors } from './patch-in-errors.ts';

const Part = struct('test/v1.Part', () => ({
  name: field(1, string),
  size: field(2, int32),
  tags: field(3, mapOf(string)),
}));

const Thing = struct('test/v1.Thing', () => ({
  part: field(1, Part, { pointer: true }),
  parts: field(2, listOf(Part), { patch: { strategies: ['merge'], mergeKey: 'name' } }),
  others: field(3, listOf(Part)),
  labels: field(4, mapOf(string)),
}));

test.each<[string, object, object, object]>([
  ['a null that removes a member', { labels: { a: 'b' } }, { labels: { a: null } }, { labels: { a: null } }],
  ['a null in a new object', {}, { part: { size: null, name: 'a' } }, { part: { name: 'a' } }],
  ['a null in a new list', {}, { others: [{ size: null }] }, { others: [{}] }],
  ['a null in a list that is replaced', { others: [{}] }, { others: [{ size: null }] }, { others: [{ size: null }] }],
  ['a replacing object', { part: {} }, { part: { $patch: 'replace', size: 1 } }, { part: { size: 1 } }],
  ['the keys to retain', { part: {} }, { part: { $retainKeys: ['size'], size: 1 } }, { part: { size: 1 } }],
  [
    'a list with its order',
    { parts: [{ name: 'a' }] },
    { '$setElementOrder/parts': [{ name: 'a' }], parts: [{ name: 'a', size: 1 }], part: { size: 1 } },
    { part: { size: 1 } },
  ],
  [
    'new elements with the same key',
    { parts: [{ name: 'a' }] },
    {
      parts: [
        { name: 'b', size: 1 },
        { name: 'b', tags: { x: 'y' } },
        { name: 'a', size: 2 },
      ],
    },
    {
      parts: [
        { name: 'b', size: 1, tags: { x: 'y' } },
        { name: 'b', tags: { x: 'y' } },
        { name: 'a', size: 2 },
      ],
    },
  ],
  [
    'elements that are deleted',
    { parts: [{ name: 'a' }] },
    { parts: [{ $patch: 'delete', name: 'a' }] },
    { parts: [{ $patch: 'delete', name: 'a' }] },
  ],
])('shows %s', (_what, live, patch, shown) => {
  const before = structuredClone(patch);
  expect(patchInErrors(live, patch, Thing)).toEqual(shown);
  expect(patch).toEqual(before);
});
