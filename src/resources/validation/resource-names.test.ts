import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import {
  isExtendedResource,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceQuantity,
} from './resource-names.ts';

describe('resource names', () => {
  it.each([
    ['cpu', []],
    ['hugepages-2Mi', []],
    ['example.com/gpu', []],
    ['kubernetes.io/thing', []],
    ['pods', ['f: Invalid value: "pods": must be a standard resource for containers']],
    [
      'gpu',
      [
        'f: Invalid value: "gpu": must be a standard resource type or fully qualified',
        'f: Invalid value: "gpu": must be a standard resource for containers',
      ],
    ],
    [
      'requests.example.com/gpu',
      [`f: Invalid value: "requests.example.com/gpu": doesn't follow extended resource name standard`],
    ],
  ])('%s', (name, errors) => {
    expect(validateContainerResourceName(name, 'f').map(fieldErrorText)).toEqual(errors);
  });

  it('distinguishes extended resources from those that can be overcommitted', () => {
    expect(isExtendedResource('example.com/gpu')).toBe(true);
    expect(isExtendedResource('memory')).toBe(false);
    expect(isOvercommitAllowed('memory')).toBe(true);
    expect(isOvercommitAllowed('hugepages-1Gi')).toBe(false);
  });

  it('requires integer amounts of extended resources', () => {
    expect(validateResourceQuantity('example.com/gpu', '500m', 'f').map(fieldErrorText)).toEqual([
      'f: Invalid value: "500m": must be an integer',
    ]);
    expect(validateResourceQuantity('cpu', '-1', 'f').map(fieldErrorText)).toEqual([
      'f: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });
});
