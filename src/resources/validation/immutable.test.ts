import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { isSameValue, validateImmutable, validateImmutableObject } from './immutable.ts';

/** Nested lists. */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('validateImmutable', () => {
  it.each([
    [undefined, null, true],
    ['', undefined, false],
    [undefined, { a: 1 }, false],
    [{ a: 1 }, null, false],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    [{ a: 1 }, { a: 2 }, false],
    [0, false, false],
    [{ a: undefined, b: 1 }, { b: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [nested(20_000), nested(20_000), true],
    [nested(20_000), nested(20_001), false],
  ])('compares values, case %#', (next, oldValue, same) => {
    expect(isSameValue(next, oldValue)).toBe(same);
  });

  it('shows the new value or its replacement', () => {
    const texts = [
      ...validateImmutable({ next: 'a', oldValue: 'a' }, 'x'),
      ...validateImmutable({ next: 'b', oldValue: 'a' }, 'x'),
      ...validateImmutable({ next: undefined, oldValue: 'a' }, 'x'),
      ...validateImmutable({ next: { a: 1 }, oldValue: undefined, shown: { A: 1 } }, 'x'),
    ].map(fieldErrorText);
    expect(texts).toEqual([
      'x: Invalid value: "b": field is immutable',
      'x: Invalid value: null: field is immutable',
      'x: Invalid value: {"A":1}: field is immutable',
    ]);
  });
});

describe('validateImmutableObject', () => {
  const old = { immutable: true, data: { a: '1' }, binaryData: undefined };

  it.each([
    [{ immutable: true, data: { a: '1' } }, []],
    [{ immutable: true, data: { a: '2' } }, ['data']],
    [{ immutable: false, data: { a: '1' }, binaryData: { b: '' } }, ['immutable', 'binaryData']],
    [{}, ['immutable', 'data']],
  ])('update to %j', (next, fields) => {
    const errors = validateImmutableObject(next, old, ['data', 'binaryData']);
    expect(errors.map(({ field }) => field)).toEqual(fields);
    for (const { message } of errors) expect(message).toBe('Forbidden: field is immutable when `immutable` is set');
  });

  it('accepts any change of an object that is not immutable', () => {
    expect(validateImmutableObject({ data: {} }, { immutable: false, data: { a: '1' } }, ['data'])).toEqual([]);
  });
});
