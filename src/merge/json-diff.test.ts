import { expect, it } from 'vitest';
import { jsonDiff } from './json-diff.ts';
import { applyJsonPatch } from './json-patch.ts';

it.each<[name: string, before: unknown, after: unknown, patch: unknown[]]>([
  ['equal values', { a: [1, { b: 'c' }] }, { a: [1, { b: 'c' }] }, []],
  ['a new member', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
  ['a removed member', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
  [
    'an undefined member',
    { a: 1, b: undefined },
    { a: undefined, b: 2 },
    [
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/b', value: 2 },
    ],
  ],
  ['a nested change', { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ op: 'replace', path: '/a/b/1', value: 3 }]],
  [
    'a longer list',
    [1],
    [1, 2, 3],
    [
      { op: 'add', path: '/-', value: 2 },
      { op: 'add', path: '/-', value: 3 },
    ],
  ],
  [
    'a shorter list',
    [1, 2, 3],
    [1],
    [
      { op: 'remove', path: '/2' },
      { op: 'remove', path: '/1' },
    ],
  ],
  ['another type', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
])('describes %s', (_name, before, after, patch) => {
  expect(jsonDiff(before, after)).toEqual(patch);
  expect(applyJsonPatch(before, patch)).toEqual(after);
});
