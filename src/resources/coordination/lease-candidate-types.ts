import { field, microTime, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const LeaseCandidate = struct('coordination/v1beta1.LeaseCandidate', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, LeaseCandidateSpec, { required: true }),
}));

export type LeaseCandidate = ObjectOf<typeof LeaseCandidate>;

export const LeaseCandidateSpec = struct('coordination/v1beta1.LeaseCandidateSpec', () => ({
  leaseName: field(1, string, { required: true, always: true }),
  pingTime: field(2, microTime, { pointer: true }),
  renewTime: field(3, microTime, { pointer: true }),
  binaryVersion: field(4, string, { required: true, always: true }),
  emulationVersion: field(5, string),
  strategy: field(6, namedString('coordination/v1.CoordinatedLeaseStrategy'), { required: true }),
}));

export type LeaseCandidateSpec = TypeOf<typeof LeaseCandidateSpec>;
