import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { Condition } from '../../schema/meta-types.ts';
import { validateConditions } from './condition-validation.ts';

const good: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'AllIsWell',
  lastTransitionTime: '2025-01-01T00:00:00Z',
};
const errorsOf = (...conditions: Condition[]) =>
  validateConditions(conditions, 'status.conditions').map(fieldErrorText);

describe('validateConditions', () => {
  it('accepts complete conditions', () => {
    expect(errorsOf(good, { ...good, type: 'example.com/Other', status: 'Unknown', reason: 'A,B:C_' })).toEqual([]);
  });

  it.each<[Condition, RegExp]>([
    [{ ...good, type: 'a b' }, /^status.conditions\[0\].type: Invalid value: "a b": name part must consist/],
    [{ ...good, status: '' }, /status: Unsupported value: "": supported values: "False", "True", "Unknown"$/],
    [
      { ...good, observedGeneration: -1 },
      /observedGeneration: Invalid value: -1: must be greater than or equal to zero$/,
    ],
    [{ ...good, lastTransitionTime: null }, /lastTransitionTime: Required value$/],
    [{ ...good, reason: '' }, /reason: Required value$/],
    [{ ...good, reason: 'not well' }, /reason: Invalid value: "not well": a condition reason must start with/],
    [{ ...good, reason: 'a'.repeat(1025) }, /reason: Too long: may not be more than 1024 bytes$/],
    [{ ...good, message: 'a'.repeat(32769) }, /message: Too long: may not be more than 32768 bytes$/],
  ])('rejects %j', (condition, error) => {
    const errors = errorsOf(condition);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(error);
  });

  it('rejects a duplicate type', () => {
    expect(errorsOf(good, good)).toEqual(['status.conditions[1].type: Duplicate value: "Ready"']);
  });
});
