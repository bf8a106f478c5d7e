import { field, int32, microTime, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const Lease = struct('coordination/v1.Lease', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, LeaseSpec),
}));

export const LeaseSpec = struct('coordination/v1.LeaseSpec', () => ({
  holderIdentity: field(1, string, { pointer: true }),
  leaseDurationSeconds: field(2, int32, { pointer: true }),
  acquireTime: field(3, microTime, { pointer: true }),
  renewTime: field(4, microTime, { pointer: true }),
  leaseTransitions: field(5, int32, { pointer: true }),
  strategy: field(6, namedString('coordination/v1.CoordinatedLeaseStrategy'), { pointer: true }),
  preferredHolder: field(7, string, { pointer: true }),
}));

export type LeaseSpec = TypeOf<typeof LeaseSpec>;
