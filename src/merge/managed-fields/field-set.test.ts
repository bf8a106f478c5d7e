import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldSet, MalformedFieldsError, printPath } from './field-set.ts';

const parse = (fieldsV1: unknown) => FieldSet.parse(fieldsV1);

describe('parsing a set', () => {
  test.each<[string, unknown, string[], unknown]>([
    ['nothing', {}, [], {}],
    ['undefined', undefined, [], {}],
    ['a field', { 'f:a': {} }, ['.a'], { 'f:a': {} }],
    ['a path below a field that is not in the set', { 'f:a': { 'f:b': {} } }, ['.a.b'], { 'f:a': { 'f:b': {} } }],
    ['both', { 'f:a': { '.': {}, 'f:b': {} } }, ['.a', '.a.b'], { 'f:a': { '.': {}, 'f:b': {} } }],
    ['a node with only a dot', { 'f:a': { '.': {} } }, ['.a'], { 'f:a': {} }],
    ['the root is never in it', { '.': {}, 'f:a': {} }, ['.a'], { 'f:a': {} }],
    [
      'any order',
      { 'f:b': {}, 'f:a': { 'f:c': {}, '.': {} } },
      ['.a', '.a.c', '.b'],
      { 'f:a': { '.': {}, 'f:c': {} }, 'f:b': {} },
    ],
    [
      'any spelling of keys',
      { 'f:p': { 'k:{"q":"T", "p":80}': {}, 'k:{"p":9,"q":"T"}': {} } },
      ['.p[p=9,q="T"]', '.p[p=80,q="T"]'],
      { 'f:p': { 'k:{"p":9,"q":"T"}': {}, 'k:{"p":80,"q":"T"}': {} } },
    ],
    [
      'the same element twice',
      { 'v:1': { 'f:a': {} }, 'v:1.0': { 'f:b': {} } },
      ['[=1].a', '[=1].b'],
      { 'v:1': { 'f:a': {}, 'f:b': {} } },
    ],
  ])('%s', (_title, input, paths, output) => {
    const set = parse(input);
    expect(set.paths().map(printPath)).toEqual(paths);
    expect(JSON.stringify(set)).toBe(JSON.stringify(output));
  });

  test.each<[unknown]>([
    [[]],
    ['x'],
    [5],
    [{ a: {} }],
    [{ 'f:a': 1 }],
    [{ 'f:a': null }],
    [{ 'f:a': [] }],
    [{ 'k:x': {} }],
  ])('but not from %j', (input) => {
    expect(() => parse(input)).toThrow(MalformedFieldsError);
  });
});

describe('operations', () => {
  const abc = parse({ 'f:a': { '.': {}, 'f:b': {}, 'f:c': {} } });
  test.each<[string, FieldSet, string]>([
    [
      'union',
      parse({ 'f:a': { 'f:c': {} } }).union(parse({ 'f:a': { 'f:b': {} }, 'f:0': {} })),
      '{"f:0":{},"f:a":{"f:b":{},"f:c":{}}}',
    ],
    ['union with the node', parse({ 'f:a': {} }).union(parse({ 'f:a': { 'f:b': {} } })), '{"f:a":{".":{},"f:b":{}}}'],
    ['difference leaves what is below', abc.difference(parse({ 'f:a': {} })), '{"f:a":{"f:b":{},"f:c":{}}}'],
    ['difference leaves the node', abc.difference(parse({ 'f:a': { 'f:b': {}, 'f:c': {} } })), '{"f:a":{}}'],
    ['difference of everything', abc.difference(abc), '{}'],
    [
      'difference from what is below',
      parse({ 'f:a': { 'f:b': {} } }).difference(parse({ 'f:a': {} })),
      '{"f:a":{"f:b":{}}}',
    ],
    ['recursive difference takes what is below', abc.recursiveDifference(parse({ 'f:a': {} })), '{}'],
    [
      'recursive difference deeper',
      abc.recursiveDifference(parse({ 'f:a': { 'f:b': {} } })),
      '{"f:a":{".":{},"f:c":{}}}',
    ],
    ['intersection', abc.intersection(parse({ 'f:a': { 'f:b': {} }, 'f:x': {} })), '{"f:a":{"f:b":{}}}'],
    ['intersection of nodes', abc.intersection(parse({ 'f:a': {} })), '{"f:a":{}}'],
    ['intersection of nothing', abc.intersection(parse({ 'f:x': {} })), '{}'],
  ])('%s', (_title, set, json) => {
    expect(JSON.stringify(set)).toBe(json);
    expect(set.isEmpty).toBe(json === '{}');
  });

  test('operations that change nothing return the set itself', () => {
    const subset = parse({ 'f:a': { 'f:b': {} } });
    expect(abc.union(subset)).toBe(abc);
    expect(abc.union(FieldSet.empty)).toBe(abc);
    expect(abc.difference(parse({ 'f:x': {} }))).toBe(abc);
    expect(abc.recursiveDifference(parse({ 'f:x': {} }))).toBe(abc);
    expect(subset.intersection(abc)).toBe(subset);
  });

  test('has finds the paths of a set', () => {
    expect(abc.has(['f:a'])).toBe(true);
    expect(abc.has(['f:a', 'f:b'])).toBe(true);
    expect(abc.has(['f:a', 'f:x'])).toBe(false);
    expect(abc.has([])).toBe(false);
    expect(parse({ 'f:a': { 'f:b': {} } }).has(['f:a'])).toBe(false);
  });
});

const element = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"n":1}', 'k:{"n":10}', 'k:{"n":9}', 'v:"x"', 'i:0');
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 12 });
const key = (path: readonly string[]) => JSON.stringify(path);
const asKeys = (set: FieldSet) => set.paths().map(key).sort();
const unique = (list: readonly string[][]) => [...new Set(list.map(key))];

test('operations agree with operations on sets of path strings', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const a = FieldSet.ofPaths(...left);
      const b = FieldSet.ofPaths(...right);
      const rightKeys = new Set(right.map(key));
      const isBelow = (path: string) =>
        right.some((other) => (JSON.parse(path) as string[]).slice(0, other.length).join('\n') === other.join('\n'));
      expect(asKeys(a)).toEqual(unique(left).sort());
      expect(asKeys(a.union(b))).toEqual(unique([...left, ...right]).sort());
      expect(asKeys(a.difference(b))).toEqual(
        unique(left)
          .filter((path) => !rightKeys.has(path))
          .sort(),
      );
      expect(asKeys(a.intersection(b))).toEqual(
        unique(left)
          .filter((path) => rightKeys.has(path))
          .sort(),
      );
      expect(asKeys(a.recursiveDifference(b))).toEqual(
        unique(left)
          .filter((path) => !isBelow(path))
          .sort(),
      );
      expect(a.equals(b)).toBe(asKeys(a).join() === asKeys(b).join());
    }),
  );
});

test('serializing and parsing gives the same set in order', () => {
  fc.assert(
    fc.property(paths, (list) => {
      const set = FieldSet.ofPaths(...list);
      const json = JSON.stringify(set);
      const again = FieldSet.parse(JSON.parse(json));
      expect(again.equals(set)).toBe(true);
      expect(JSON.stringify(again)).toBe(json);
      expect(JSON.stringify(FieldSet.ofPaths(...list.toReversed()))).toBe(json);
    }),
  );
});
