import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import type { LeaseSpec } from './lease-types.ts';

export const leaseRules = {
  finalizers: 'any' as const,
  prepareCreate: dropElectionFields,
  prepareUpdate: dropElectionFields,

  validate({ spec }: ResourceObject): FieldError[] {
    const { leaseDurationSeconds: duration, leaseTransitions } = (spec ?? {}) as LeaseSpec;
    const errors =
      duration !== undefined && duration <= 0
        ? [invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
        : [];
    return [...errors, ...validateNonNegative(leaseTransitions, 'spec.leaseTransitions')];
  },
};

/** Drops the fields of coordinated leader election, which this server does not support. */
function dropElectionFields(lease: ResourceObject): void {
  const { strategy, preferredHolder, ...rest } = (lease.spec ?? {}) as LeaseSpec;
  if (strategy !== undefined || preferredHolder !== undefined) lease.spec = rest;
}
