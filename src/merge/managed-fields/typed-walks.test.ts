import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { typeProblem } from './check-applied.ts';
import { compare } from './compare.ts';
import { Ship } from './conformance/ship.conformance.ts';
import { FieldSet, printPath } from './field-set.ts';
import { intersect, subtract, union } from './field-tree.ts';
import { mergeApplied } from './merge-applied.ts';
import { ownedFields } from './owned-fields.ts';
import { ownsExactly } from './owns-exactly.ts';
import { reconcileFields } from './reconcile-fields.ts';
import { extractItems, removeItems, withContainers } from './remove-items.ts';
import { removeUnowned } from './remove-unowned.ts';
import { kindShape } from './shape.ts';
import { zeroValue } from './zero-value.ts';

const shape = kindShape(Ship);
const compiled = compileKind({ schema: Ship, kind: 'Ship', apiVersion: 'sea/v1' });
const print = (set: FieldSet) => set.paths().map(printPath).join(' ');

type Value = Record<string, unknown>;

/** Configurations over the whole type, with few names, so that their fields overlap. */
const names = fc.constantFrom('a', 'b', 'c');
const texts = fc.constantFrom('1', '2');
const person = fc.record(
  {
    name: names,
    rank: texts,
    tools: fc.array(texts, { maxLength: 2 }),
    badges: fc.uniqueArray(fc.record({ kind: names, value: texts }, { requiredKeys: ['kind'] }), {
      selector: ({ kind }) => kind,
      maxLength: 2,
    }),
    kit: fc.record({ boots: fc.boolean(), coat: texts }, { requiredKeys: [] }),
  },
  { requiredKeys: ['name'] },
);
const spec = fc.record(
  {
    name: texts,
    size: fc.constantFrom(0, 1, 2),
    flags: fc.dictionary(names, texts, { maxKeys: 3 }),
    stamps: fc.dictionary(names, texts, { maxKeys: 2 }),
    limits: fc.dictionary(names, fc.constantFrom('1', '1000m', '2'), { maxKeys: 2 }),
    crates: fc.dictionary(names, fc.record({ goods: texts, count: fc.nat(2) }, { requiredKeys: [] }), { maxKeys: 2 }),
    crew: fc.uniqueArray(person, { selector: ({ name }) => name, maxLength: 3 }),
    hatches: fc.uniqueArray(
      fc.record(
        { number: fc.nat(2), side: fc.constantFrom('port', 'lee'), label: texts },
        { requiredKeys: ['number'] },
      ),
      { selector: ({ number, side = 'port' }) => `${number} ${side}`, maxLength: 3 },
    ),
    colours: fc.uniqueArray(names, { maxLength: 3 }),
    route: fc.array(texts, { maxLength: 2 }),
    engine: fc.record({ power: fc.constantFrom('1', '2'), fuel: texts }, { requiredKeys: [] }),
    home: fc.record({ land: texts, town: texts }, { requiredKeys: [] }),
    cargo: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);
const config = fc.record({ metadata: fc.constant({ name: 'x' }), spec }).map((value) => value as unknown as Value);
const object = config.map((value) => compiled.normalize(value, new Findings()) as Value);

describe('an object', () => {
  test('an applier owns values, elements, entries and empty fields', () => {
    const applied = {
      metadata: { name: 'x', labels: { l: '1' } },
      spec: {
        name: 'n',
        flags: { x: '1' },
        crates: { c: {} },
        crew: [{ name: 'a', kit: {} }],
        colours: [],
        engine: {},
        size: null,
      },
    };
    expect(print(ownedFields(shape, applied))).toBe(
      '.metadata.labels.l .spec.crates.c .spec.crew[name="a"] .spec.crew[name="a"].kit .spec.crew[name="a"].name .spec.engine .spec.flags.x .spec.name .spec.size',
    );
  });

  test('a create also owns containers, except those that are always present', () => {
    const created = compiled.normalize(
      { spec: { flags: { x: '1' }, crew: [{ name: 'a' }], hull: { planks: 1 } } },
      new Findings(),
    );
    expect(print(compare(shape, zeroValue(shape), created).added)).toBe(
      '.spec.class .spec.crew[name="a"] .spec.crew[name="a"].kit .spec.crew[name="a"].name .spec.flags .spec.flags.x .spec.hull.planks',
    );
  });

  test('the zero value has the fields that are always written', () => {
    expect(zeroValue(shape)).toEqual({ metadata: {}, spec: { crew: null, hull: {} }, status: {} });
  });

  test('a field that became atomic is owned as a whole', () => {
    const old = FieldSet.parse({
      'f:spec': { 'f:home': { 'f:land': {} }, 'f:name': {}, 'f:stamps': { '.': {}, 'f:x': {} } },
    });
    expect(print(reconcileFields(shape, old))).toBe('.spec.home .spec.name .spec.stamps');
    const same = FieldSet.parse({ 'f:spec': { 'f:home': {}, 'f:flags': { 'f:x': {} } } });
    expect(reconcileFields(shape, same)).toBe(same);
  });
});

test('equal objects have no changes, and comparison is symmetric', () => {
  fc.assert(
    fc.property(object, object, (left, right) => {
      const same = compare(shape, left, structuredClone(left));
      expect(print(same.added) + print(same.modified) + print(same.removed)).toBe('');
      const forth = compare(shape, left, right);
      const back = compare(shape, right, left);
      expect(print(back.removed)).toBe(print(forth.added));
      expect(print(back.added)).toBe(print(forth.removed));
    }),
  );
});

test('merging existing values changes nothing', () => {
  fc.assert(
    fc.property(object, (live) => {
      expect(mergeApplied(shape, live, structuredClone(live))).toBe(live);
    }),
  );
});

test('a merge sets the applied fields and keeps all others', () => {
  fc.assert(
    fc.property(object, config, (live, applied) => {
      const merged = mergeApplied(shape, live, applied) as Value;
      const owned = ownedFields(shape, applied);
      const there = FieldSet.of(withContainers(shape, ownedFields(shape, merged).tree));
      expect(print(owned.difference(there))).toBe('');
      const { removed } = compare(shape, live, merged);
      // In fields without a schema, a scalar can replace an object.
      expect(print(removed.recursiveDifference(FieldSet.ofPaths(['f:spec', 'f:cargo'])))).toBe('');
    }),
  );
});

test('ownsExactly agrees with ownedFields and typeProblem', () => {
  fc.assert(
    fc.property(config, config, (left, right) => {
      const set = ownedFields(shape, left);
      fc.pre(!set.isEmpty);
      const isValid = typeProblem(shape, right) === undefined;
      expect(ownsExactly(shape, right, set)).toBe(isValid && ownedFields(shape, right).equals(set));
    }),
  );
  fc.assert(
    fc.property(config, (value) => {
      const set = ownedFields(shape, value);
      fc.pre(!set.isEmpty);
      expect(ownsExactly(shape, value, FieldSet.parse(JSON.parse(JSON.stringify(set))))).toBe(true);
    }),
  );
});

test('ownsExactly agrees with both after one value of the configuration changed', () => {
  const replacement = fc.constantFrom<unknown>(null, 'x', 5, true, [], {}, ['a', 'a'], [{ name: 'a' }], { sail: 1 });
  const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(config, choices, replacement, (value, path, replaced) => {
      const set = ownedFields(shape, value);
      fc.pre(!set.isEmpty);
      const changed = withReplaced(value, path, replaced) as Value;
      const isValid = typeProblem(shape, changed) === undefined;
      expect(ownsExactly(shape, changed, set)).toBe(isValid && ownedFields(shape, changed).equals(set));
    }),
    { numRuns: 2000 },
  );
});

/** Replaces a value. Each number of the path chooses a member or an item. */
function withReplaced(value: unknown, [first, ...rest]: readonly number[], replacement: unknown): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (first === undefined || keys.length === 0) return replacement;
  const key = keys[first % keys.length]!;
  const changed = withReplaced((value as Value)[key], rest, replacement);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...(value as Value), [key]: changed };
}

test('removeItems removes the set and extractItems keeps it', () => {
  fc.assert(
    fc.property(object, config, (live, applied) => {
      const set = ownedFields(shape, applied);
      const rest = removeItems(shape, live, set);
      expect(print(ownedFields(shape, rest).intersection(set))).toBe('');
      const extracted = extractItems(shape, live, set);
      const both = ownedFields(shape, live).intersection(set);
      expect(print(both.difference(ownedFields(shape, extracted)))).toBe('');
    }),
  );
});

/**
 * A slow implementation in steps: removes all claimed fields, then restores the owned ones and those that were never
 * claimed.
 */
function removeUnownedSlowly(whole: Value, last: FieldSet, owned: FieldSet): Value {
  const lastTree = withContainers(shape, last.tree);
  const fields = (value: Value) => withContainers(shape, ownedFields(shape, value).tree);
  const removed = removeItems(shape, whole, FieldSet.of(lastTree));
  const kept = union(fields(removed), withContainers(shape, owned.tree));
  const restored = removeItems(shape, whole, FieldSet.of(subtract(fields(whole), kept)));
  return removeItems(shape, whole, FieldSet.of(intersect(subtract(fields(whole), fields(restored)), lastTree)));
}

test('removeUnowned gives the same result as removing fields step by step', () => {
  fc.assert(
    fc.property(object, config, config, (live, first, second) => {
      const last = ownedFields(shape, first);
      const owned = ownedFields(shape, second);
      const whole = mergeApplied(shape, mergeApplied(shape, live, first), second) as Value;
      const claims = { last: withContainers(shape, last.tree), owned: withContainers(shape, owned.tree) };
      expect(removeUnowned(shape, whole, claims)).toEqual(removeUnownedSlowly(whole, last, owned));
    }),
    { numRuns: 300 },
  );
});
