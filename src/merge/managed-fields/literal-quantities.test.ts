import { expect, it } from 'vitest';
import { field, listOf, mapOf, quantity, struct } from '../../schema/builders.ts';
import type { StructSchema } from '../../schema/model.ts';
import { kindShape, sameValue, withLiteralQuantities } from './index.ts';

const hold: StructSchema = struct('test.Hold', () => ({ size: field(1, quantity), inner: field(2, hold) }));
const schema = struct('test.Kind', () => ({
  holds: field(1, listOf(hold)),
  limits: field(2, mapOf(quantity)),
}));
const shape = kindShape(schema);
const literal = withLiteralQuantities(shape);

it.each([
  ['in a map', { limits: { a: '1' } }, { limits: { a: '1000m' } }],
  ['in a list', { holds: [{ size: '1' }] }, { holds: [{ size: '1000m' }] }],
  ['in a recursive type', { holds: [{ inner: { size: '1' } }] }, { holds: [{ inner: { size: '1000m' } }] }],
  ['as a number', { limits: { a: '1' } }, { limits: { a: 1 } }],
])('the spelling of a quantity matters: %s', (_where, left, right) => {
  expect([sameValue(shape, left, right), sameValue(literal, left, right)]).toEqual([true, false]);
  expect(sameValue(literal, left, structuredClone(left))).toBe(true);
});

it('the same shape has the same result', () => {
  expect(withLiteralQuantities(shape)).toBe(literal);
});
