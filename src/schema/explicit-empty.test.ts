import { expect, it } from 'vitest';
import { explicitEmptyFields, explicitValue, isExplicitEmpty, recordExplicitEmpty } from './explicit-empty.ts';

it('remembers fields that were given without elements', () => {
  const object: Record<string, unknown> = { name: 'x' };
  recordExplicitEmpty(object, 'ports');
  recordExplicitEmpty(object, 'labels');
  expect(explicitEmptyFields(object)).toEqual(['ports', 'labels']);
  expect(isExplicitEmpty(object, 'ports')).toBe(true);
  expect(isExplicitEmpty(object, 'name')).toBe(false);
  expect(isExplicitEmpty({ ...object }, 'ports')).toBe(true);
  expect(explicitValue(object, 'ports', [])).toEqual([]);
  expect(explicitValue(object, 'name', [])).toBe('x');
  expect(explicitValue(object, 'other', [])).toBeUndefined();
});

it('forgets a field that was set afterwards', () => {
  const object: Record<string, unknown> = {};
  recordExplicitEmpty(object, 'ports');
  object.ports = [80];
  expect(isExplicitEmpty(object, 'ports')).toBe(false);
  expect(explicitEmptyFields(object)).toEqual([]);
});

it('does not change the fields and the encoding of an object', () => {
  const object = { a: 1 };
  recordExplicitEmpty(object, 'ports');
  expect(Object.keys(object)).toEqual(['a']);
  expect(JSON.stringify(object)).toBe('{"a":1}');
});

it.each([[undefined], [null], [{}]])('%o has no such fields', (object) => {
  expect(isExplicitEmpty(object, 'ports')).toBe(false);
});
