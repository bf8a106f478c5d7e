import { expect, it } from 'vitest';
import { givenEmptyFields, givenValue, isGivenEmpty, noteGivenEmpty } from './given-empty.ts';

it('remembers fields that were given without elements', () => {
  const object: Record<string, unknown> = { name: 'x' };
  noteGivenEmpty(object, 'ports');
  noteGivenEmpty(object, 'labels');
  expect(givenEmptyFields(object)).toEqual(['ports', 'labels']);
  expect(isGivenEmpty(object, 'ports')).toBe(true);
  expect(isGivenEmpty(object, 'name')).toBe(false);
  expect(isGivenEmpty({ ...object }, 'ports')).toBe(true);
  expect(givenValue(object, 'ports', [])).toEqual([]);
  expect(givenValue(object, 'name', [])).toBe('x');
  expect(givenValue(object, 'other', [])).toBeUndefined();
});

it('forgets a field that was set afterwards', () => {
  const object: Record<string, unknown> = {};
  noteGivenEmpty(object, 'ports');
  object.ports = [80];
  expect(isGivenEmpty(object, 'ports')).toBe(false);
  expect(givenEmptyFields(object)).toEqual([]);
});

it('does not change the fields and the encoding of an object', () => {
  const object = { a: 1 };
  noteGivenEmpty(object, 'ports');
  expect(Object.keys(object)).toEqual(['a']);
  expect(JSON.stringify(object)).toBe('{"a":1}');
});

it.each([[undefined], [null], [{}]])('%o has no such fields', (object) => {
  expect(isGivenEmpty(object, 'ports')).toBe(false);
});
