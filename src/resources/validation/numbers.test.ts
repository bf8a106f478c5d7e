import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import {
  type IntOrPercent,
  intOrPercentAmount,
  isPercent,
  validateIntOrPercent,
  validateMaxPercent,
  validateNonNegative,
  validatePositive,
} from './numbers.ts';

describe('validateNonNegative', () => {
  it.each([undefined, 0, 1, 2n ** 60n])('accepts %s', (value) => {
    expect(validateNonNegative(value, 'f')).toEqual([]);
  });

  it.each([-1, -(2n ** 60n)])('rejects %s', (value) => {
    const text = `f: Invalid value: ${value}: must be greater than or equal to 0`;
    expect(validateNonNegative(value, 'f').map(fieldErrorText)).toEqual([text]);
  });
});

describe('validatePositive', () => {
  it.each([undefined, 0, -1])('rejects %s', (value) => {
    const text = `f: Invalid value: ${value ?? 0}: must be greater than zero`;
    expect(validatePositive(value, 'f').map(fieldErrorText)).toEqual([text]);
  });

  it('accepts one', () => {
    expect(validatePositive(1, 'f')).toEqual([]);
  });
});

describe('integers and percentages', () => {
  it.each<[IntOrPercent | undefined, { valid: boolean; percent: boolean; amount: number }]>([
    [undefined, { valid: true, percent: false, amount: 0 }],
    [0, { valid: true, percent: false, amount: 0 }],
    [7, { valid: true, percent: false, amount: 7 }],
    [-1, { valid: false, percent: false, amount: -1 }],
    ['0%', { valid: true, percent: true, amount: 0 }],
    ['33%', { valid: true, percent: true, amount: 33 }],
    ['-5%', { valid: false, percent: false, amount: 0 }],
    ['7', { valid: false, percent: false, amount: 7 }],
    ['', { valid: false, percent: false, amount: 0 }],
    ['many', { valid: false, percent: false, amount: 0 }],
  ])('%j', (value, { valid, percent, amount }) => {
    expect(validateIntOrPercent(value, 'f')).toHaveLength(valid ? 0 : 1);
    expect(isPercent(value)).toBe(percent);
    expect(intOrPercentAmount(value)).toBe(amount);
  });

  it('rejects percentages above 100%, and no other values', () => {
    expect(['100%', 500, 'many', undefined].flatMap((value) => validateMaxPercent(value, 'f'))).toEqual([]);
    expect(validateMaxPercent('101%', 'f').map(fieldErrorText)).toEqual([
      'f: Invalid value: "101%": must not be greater than 100%',
    ]);
  });
});
