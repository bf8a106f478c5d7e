import type { ResourceObject } from '../../../meta/object.ts';
import { milliValue } from '../../validation/quantities.ts';
import { annotationWarnings } from './persistent-volume-warnings.ts';
import type { Amounts, ClaimSpec } from './volume-shapes.ts';

export function claimWarnings(claim: ResourceObject): string[] {
  const { resources } = (claim.spec as ClaimSpec | undefined) ?? {};
  return [
    ...annotationWarnings(claim),
    ...fractionWarnings(resources?.requests, 'spec.resources.requests[storage]'),
    ...fractionWarnings(resources?.limits, 'spec.resources.limits[storage]'),
  ];
}

function fractionWarnings(amounts: Amounts | undefined, field: string): string[] {
  const amount = amounts?.storage;
  if (amount === undefined || !/[mnu]$|e-/.test(amount) || milliValue(amount) % 1000n === 0n) return [];
  return [`${field}: fractional byte value "${amount}" is invalid, must be an integer`];
}
