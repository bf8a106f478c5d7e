import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { validateCapacity } from './capacity-policy.ts';
import type { DeviceCapacity } from './resource-slice-types.ts';

type Policy = NonNullable<DeviceCapacity['requestPolicy']>;

const found = (requestPolicy: Policy) =>
  validateCapacity({ value: '8Gi', requestPolicy }, 'c', { isShared: true }).map(fieldErrorText);

describe('validateCapacity', () => {
  it.each<[string, Policy]>([
    ['a default alone', { default: '1Gi' }],
    ['values', { default: '2Gi', validValues: ['1Gi', '2Gi', '8Gi'] }],
    ['a range', { default: '1Gi', validRange: { min: '1Gi' } }],
    ['a range in steps', { default: '3Gi', validRange: { min: '1Gi', max: '5Gi', step: '2Gi' } }],
  ])('accepts %s', (_what, policy) => {
    expect(found(policy)).toEqual([]);
  });

  it.each<[string, Policy, string[]]>([
    [
      'two policies',
      { default: '1Gi', validValues: ['1Gi'], validRange: { min: '1Gi' } },
      [
        'c.requestPolicy: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ],
    ],
    [
      'values without a default',
      { validValues: ['1Gi'] },
      ['c.requestPolicy.default: Required value: required when validValues is defined'],
    ],
    [
      'values in disorder, too large, twice, and another default',
      { default: '3Gi', validValues: ['9Gi', '1Gi', '1Gi'] },
      [
        'c.requestPolicy.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order',
        'c.requestPolicy.validValues[0]: Invalid value: "9Gi": option is larger than capacity value: 8Gi',
        'c.requestPolicy.validValues[2]: Duplicate value: "1073741824"',
        'c.requestPolicy.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy',
      ],
    ],
    [
      'a range without a begin',
      { default: '1Gi', validRange: {} },
      ['c.requestPolicy.validRange.min: Required value: required when validRange is defined'],
    ],
    [
      'a range that is upside down',
      { default: '1Gi', validRange: { min: '4Gi', max: '2Gi', step: '0' } },
      [
        'c.requestPolicy.validRange.default: Invalid value: "1Gi": default is less than min: 4Gi',
        'c.requestPolicy.validRange.max: Invalid value: "4Gi": min is larger than max: 2Gi',
        'c.requestPolicy.validRange.step: Invalid value: "0": must be greater than zero',
      ],
    ],
    [
      'steps that miss the end',
      { default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '2Gi' } },
      [
        'c.requestPolicy.validRange.step: Invalid value: "4Gi": value is not a multiple of a given step (2Gi) from (1Gi)',
      ],
    ],
  ])('refuses %s', (_what, policy, errors) => {
    expect(found(policy)).toEqual(errors);
  });

  it('refuses a policy for a device that is not shared', () => {
    const errors = validateCapacity({ value: '1', requestPolicy: {} }, 'c', { isShared: false });
    expect(errors.map(fieldErrorText)).toEqual(['c.requestPolicy: Forbidden: allowMultipleAllocations must be true']);
  });
});
