import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLong } from '../../../test/is-long.ts';
import { ScriptedObject } from './conformance/script.conformance.ts';
import { Ship } from './conformance/ship.conformance.ts';
import { FieldSet, printPath } from './field-set.ts';
import { ownedFields } from './owned-fields.ts';
import { kindShape } from './shape.ts';

const names = fc.constantFrom('a', 'b', 'c');
const texts = fc.constantFrom('1', '2', '3');
const spec = fc.record(
  {
    name: texts,
    size: fc.constantFrom(1, 2),
    flags: fc.dictionary(names, texts, { minKeys: 1, maxKeys: 3 }),
    stamps: fc.dictionary(names, texts, { minKeys: 1, maxKeys: 2 }),
    limits: fc.dictionary(names, fc.constantFrom('1', '1000m', '2'), { minKeys: 1, maxKeys: 2 }),
    crew: fc.uniqueArray(fc.record({ name: names, rank: texts, tools: fc.array(texts) }, { requiredKeys: ['name'] }), {
      selector: ({ name }) => name,
      minLength: 1,
    }),
    hatches: fc.uniqueArray(fc.record({ number: fc.nat(2), label: texts }, { requiredKeys: ['number'] }), {
      selector: ({ number }) => number,
      minLength: 1,
    }),
    colours: fc.uniqueArray(names, { minLength: 1 }),
    route: fc.array(texts, { minLength: 1 }),
    engine: fc.record({ power: texts, tank: fc.nat(2) }, { requiredKeys: ['power'] }),
  },
  { requiredKeys: [] },
);
const step = fc.record({
  kind: fc.constantFrom('apply', 'force', 'patch'),
  manager: fc.constantFrom('m', 'n', 'o'),
  spec,
});
type Config = Record<string, unknown>;

/** Returns an object with some earlier writes. */
function lived(steps: readonly { kind: string; manager: string; spec: Config }[]): ScriptedObject {
  const object = new ScriptedObject();
  object.put('maker', { spec: {} });
  for (const { kind, manager, spec: config } of steps) {
    if (kind === 'patch') object.patch(manager, { spec: config });
    else object.apply(manager, { spec: config }, { force: kind === 'force' });
  }
  return object;
}

const shape = kindShape(Ship);

function ownedBy(object: ScriptedObject, manager: string): FieldSet {
  const entries = (object.live?.metadata.managedFields ?? []) as Config[];
  const entry = entries.find((candidate) => candidate.manager === manager && candidate.operation === 'Apply');
  return FieldSet.parse(entry?.fieldsV1);
}

test('applying the same configuration again writes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), spec, (before, config) => {
      const object = lived(before);
      const outcome = object.apply('m', { spec: config }, { force: true });
      const { live, writes } = object;
      expect(object.apply('m', { spec: config })).toBe(outcome);
      expect(object.writes).toBe(writes);
      expect(object.live).toEqual(live);
    }),
    { numRuns: isLong ? 600 : 25 },
  );
});

test('a forced apply owns exactly the applied fields and leaves no conflict', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), spec, (before, config) => {
      const object = lived(before);
      object.apply('m', { spec: config }, { force: true });
      const owned = ownedFields(shape, { spec: config });
      expect(ownedBy(object, 'm').paths().map(printPath)).toEqual(owned.paths().map(printPath));
      // Co-owners of the applied fields cause no conflict for a second apply without force.
      expect(object.apply('m', { spec: config })).not.toMatch(/^conflict/);
    }),
    { numRuns: isLong ? 600 : 25 },
  );
});

test('disjoint configurations give the same object in any order of application', () => {
  const left = spec.map(({ name, flags, crew, limits, stamps, engine }) => ({
    name,
    flags,
    crew,
    limits,
    stamps,
    engine,
  }));
  const right = spec.map(({ size, hatches, colours, route }) => ({ size, hatches, colours, route }));
  const clean = (config: Config) =>
    Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  fc.assert(
    fc.property(left, right, (first, second) => {
      const [a, b] = [{ spec: clean(first) }, { spec: clean(second) }];
      const forth = new ScriptedObject();
      const back = new ScriptedObject();
      expect(forth.apply('a', a)).not.toMatch(/^conflict/);
      expect(forth.apply('b', b)).not.toMatch(/^conflict/);
      expect(back.apply('b', b)).not.toMatch(/^conflict/);
      expect(back.apply('a', a)).not.toMatch(/^conflict/);
      expect(back.live?.spec).toEqual(forth.live?.spec);
      expect(ownedBy(back, 'a').equals(ownedBy(forth, 'a'))).toBe(true);
      expect(ownedBy(back, 'b').equals(ownedBy(forth, 'b'))).toBe(true);
    }),
    { numRuns: isLong ? 600 : 25 },
  );
});

test('an applier that gives up all fields leaves only the fields of others', () => {
  fc.assert(
    fc.property(spec, spec, (first, second) => {
      const object = new ScriptedObject();
      object.apply('a', { spec: first });
      object.apply('b', { spec: second }, { force: true });
      object.apply('a', {});
      const alone = new ScriptedObject();
      alone.apply('b', { spec: second });
      expect(object.live?.spec).toEqual(alone.live?.spec);
    }),
    { numRuns: isLong ? 600 : 25 },
  );
});
