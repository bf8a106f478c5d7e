import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../meta/json-object.ts';
import { isMarkedExplicitEmpty } from '../../schema/explicit-empty.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { compare } from './compare.ts';
import { Ship } from './conformance/ship.conformance.ts';
import { FieldSet } from './field-set.ts';
import { elementOf } from './list-elements.ts';
import { anyShape, entryShape, kindShape, type Shape } from './shape.ts';
import { maxStepsPerObject, newTree, wholeTree } from './whole-tree.ts';
import { zeroValue } from './zero-value.ts';

const shape = kindShape(Ship);
const compiled = compileKind({ schema: Ship, kind: 'Ship', apiVersion: 'sea/v1' });
const object = (spec: object) => compiled.normalize({ spec }, new Findings());
const walk = (stepsLeft = maxStepsPerObject) => ({ hasNameless: false, stepsLeft });
const text = (tree: unknown) => JSON.stringify(tree);

/** The paths of all nodes of a value. */
function pathsOf(inner: Shape, value: unknown, path: readonly string[] = []): string[][] {
  const own = path.length === 0 ? [] : [[...path]];
  if (inner.atomic) return own;
  if (Array.isArray(value)) {
    if (inner.type !== 'list') return own;
    const names = value.map((item) => elementOf(inner, item)!);
    return [
      ...own,
      ...value.flatMap((item, index) => {
        const isRepeated = names.filter((name) => name === names[index]).length > 1;
        return isRepeated ? [[...path, names[index]!]] : pathsOf(inner.items, item, [...path, names[index]!]);
      }),
    ];
  }
  if (!isJsonObject(value) || inner.type === 'list') return own;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const field = inner.type === 'struct' ? inner.fields.get(key) : undefined;
    if (member === undefined || field?.tracked === 'no') return [];
    return pathsOf(field?.shape ?? entryShape(inner) ?? anyShape, member, [...path, `f:${key}`]);
  });
  return [...own, ...members];
}

const names = fc.constantFrom('a', 'b', 'c');
const spec = fc.record(
  {
    name: fc.constantFrom('', '1', '2'),
    size: fc.constantFrom(0, 1),
    flags: fc.dictionary(names, names, { maxKeys: 3 }),
    crew: fc.array(
      fc.record(
        { name: names, badges: fc.array(fc.record({ kind: names, value: names }, { requiredKeys: ['kind'] })) },
        { requiredKeys: ['name'] },
      ),
      { maxLength: 4 },
    ),
    hatches: fc.array(
      fc.record(
        { number: fc.nat(1), side: fc.constantFrom('port', 'lee'), label: names },
        { requiredKeys: ['number'] },
      ),
      { maxLength: 4 },
    ),
    colours: fc.array(names, { maxLength: 3 }),
    hull: fc.record({ planks: fc.constantFrom(0, 1) }, { requiredKeys: [] }),
    cargo: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: [] },
);

test('a tree has every node of the value, in the order of sets', () => {
  fc.assert(
    fc.property(spec, fc.constantFrom(0, 3, maxStepsPerObject), (value, stepsLeft) => {
      const whole = object(value);
      const expected = FieldSet.ofPaths(...pathsOf(shape, whole));
      const tree = wholeTree(shape, whole, walk(stepsLeft));
      expect(text(FieldSet.of(tree).difference(FieldSet.empty))).toBe(
        text(tree['.'] === undefined ? expected : { '.': {}, ...expected.toJSON() }),
      );
    }),
  );
});

test('the tree of a new object is what a comparison finds', () => {
  fc.assert(
    fc.property(spec, (value) => {
      const created = object(value);
      const { added, modified } = compare(shape, zeroValue(shape), created);
      const tree = newTree(shape, created);
      // Such an object has to be compared.
      fc.pre(!isMarkedExplicitEmpty(created));
      expect(tree).not.toBeNull();
      expect(text(FieldSet.of(tree ?? undefined))).toBe(text(added.union(modified)));
    }),
  );
});

describe('equal structures', () => {
  const one = { flags: { a: '1', b: '2' }, crew: [{ name: 'a', rank: '1' }], cargo: { deep: [{ x: 1 }] } };
  const other = { flags: { a: '3', b: '4' }, crew: [{ name: 'a', rank: '5' }], cargo: { deep: ['y'] } };

  test('share a tree', () => {
    expect(newTree(shape, object(one))).toBe(newTree(shape, object(other)));
  });

  test.each<[string, object]>([
    ['the key of a map', { flags: { a: '1', c: '2' } }],
    ['another field', { size: 1 }],
    ['the name of an item', { crew: [{ name: 'b', rank: '1' }] }],
    ['another item', { crew: [{ name: 'a', rank: '1' }, { name: 'b' }] }],
    ['a field of an item', { crew: [{ name: 'a' }] }],
    ['a member that no schema describes', { cargo: { other: 1 } }],
  ])('differ by %s', (_, change) => {
    expect(text(newTree(shape, object({ ...one, ...change })))).not.toBe(text(newTree(shape, object(one))));
  });
});

test('finds items that nothing identifies', () => {
  const found = walk();
  const list = { colours: [{}, 'a'] };
  const { shape: inner } = shape.fields.get('spec')!;
  expect(text(wholeTree(inner, list, found))).toBe('{".":{},"f:colours":{".":{},"v:\\"a\\"":{}}}');
  expect(found.hasNameless).toBe(true);
  expect(newTree(shape, { spec: list })).toBeNull();
});

test('leaves to a comparison what has another form than the value that is always there', () => {
  expect(newTree(shape, { spec: { crew: [] } })).toBeNull();
  expect(newTree(shape, object({ crew: [] }))).toBeNull();
  expect(newTree(shape, { spec: null })).toBeNull();
  expect(newTree(shape, { spec: { crew: null, hull: {} } })).toBeUndefined();
});

test('remembers only so many structures', () => {
  const flags = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}-${index}`, '1']));
  const first = newTree(shape, object({ name: 'x', flags: flags('first', 5) }));
  for (let round = 0; round < 10; round++) newTree(shape, object({ flags: flags(String(round), maxStepsPerObject) }));
  const again = newTree(shape, object({ name: 'x', flags: flags('first', 5) }));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
  const large = object({ flags: flags('large', maxStepsPerObject * 2) });
  expect(Object.keys(newTree(shape, large)!['f:spec']!['f:flags']!)).toHaveLength(maxStepsPerObject * 2 + 1);
});
