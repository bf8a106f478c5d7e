import { expect, test } from 'vitest';
import { inTurns } from '../../meta/turns.ts';
import { Ship } from './conformance/ship.conformance.ts';
import { ownedFields, ownedFieldsSteps } from './owned-fields.ts';
import { kindShape } from './shape.ts';

const shape = kindShape(Ship);
const many = <T>(of: (index: number) => T): T[] => Array.from({ length: 3000 }, (_, index) => of(index));
const badges = many((index) => ({ kind: `k${index}`, value: '1' }));

const nested = (levels: number): object => (levels === 0 ? { list: badges } : { x: nested(levels - 1) });

test.each<[what: string, spec: object]>([
  ['few fields', { name: 'a', crew: [{ name: 'b', kit: {} }] }],
  ['a list of objects', { crew: many((index) => ({ name: `n${index}`, rank: '1', kit: { boots: true } })) }],
  ['a list inside the item of another', { crew: [{ name: 'a', badges }, { name: 'b' }] }],
  ['items that repeat a key', { crew: many((index) => ({ name: `n${index % 7}` })) }],
  ['items without a key', { crew: many(() => ({ rank: '1' })) }],
  ['a set', { berths: many((index) => 3000 - index) }],
  ['an atomic list', { route: many(String) }],
  ['a map', { flags: Object.fromEntries(many((index) => [`f${index}`, '1'])), size: null }],
  ['a map of objects', { crates: Object.fromEntries(many((index) => [`c${index}`, { goods: 'x' }])) }],
  ['values without a schema', { cargo: { list: many((index) => ({ index })) } }],
  ['values inside many others', { cargo: nested(200) }],
  ['a list where the schema has an object', { hull: many((index) => index) }],
  ['an object where the schema has a list', { crew: Object.fromEntries(many((index) => [`x${index}`, 1])) }],
])('in steps, the owned fields are the same: %s', async (_what, spec) => {
  const object = { metadata: { name: 'a', labels: { b: 'c' } }, spec };
  const expected = ownedFields(shape, object);
  expect((await inTurns(ownedFieldsSteps(shape, object))).equals(expected)).toBe(true);
  expect(expected.isEmpty).toBe(false);
});
