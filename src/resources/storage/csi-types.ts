import { bool, field, int32, int64, listOf, namedString, quantity, string, struct } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const CSIDriver = struct('storage/v1.CSIDriver', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, CSIDriverSpec, { required: true, always: true, defaulted: true }),
}));

export type CSIDriver = ObjectOf<typeof CSIDriver>;

export const CSIDriverSpec = struct('storage/v1.CSIDriverSpec', () => ({
  attachRequired: field(1, bool, { pointer: true, defaulted: true }),
  podInfoOnMount: field(2, bool, { pointer: true, defaulted: true }),
  volumeLifecycleModes: field(3, listOf(namedString('storage/v1.VolumeLifecycleMode')), {
    defaulted: true,
    list: 'set',
  }),
  storageCapacity: field(4, bool, { pointer: true, defaulted: true }),
  fsGroupPolicy: field(5, namedString('storage/v1.FSGroupPolicy'), { pointer: true, defaulted: true }),
  tokenRequests: field(6, listOf(TokenRequest), { list: 'atomic' }),
  requiresRepublish: field(7, bool, { pointer: true, defaulted: true }),
  seLinuxMount: field(8, bool, { pointer: true, defaulted: true }),
  nodeAllocatableUpdatePeriodSeconds: field(9, int64, { pointer: true }),
  serviceAccountTokenInSecrets: field(10, bool, { pointer: true }),
  preventPodSchedulingIfMissing: field(11, bool, { pointer: true }),
}));

export type CSIDriverSpec = TypeOf<typeof CSIDriverSpec>;

export const TokenRequest = struct('storage/v1.TokenRequest', () => ({
  audience: field(1, string, { required: true, always: true }),
  expirationSeconds: field(2, int64, { pointer: true }),
}));

export type TokenRequest = TypeOf<typeof TokenRequest>;

export const CSINode = struct('storage/v1.CSINode', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, CSINodeSpec, { required: true, always: true }),
}));

export const CSINodeSpec = struct('storage/v1.CSINodeSpec', () => ({
  drivers: field(1, listOf(CSINodeDriver), {
    required: true,
    always: true,
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
}));

export const CSINodeDriver = struct('storage/v1.CSINodeDriver', () => ({
  name: field(1, string, { required: true, always: true }),
  nodeID: field(2, string, { required: true, always: true }),
  topologyKeys: field(3, listOf(string), { always: true, list: 'atomic' }),
  allocatable: field(4, VolumeNodeResources, { pointer: true }),
}));

export type CSINodeDriver = TypeOf<typeof CSINodeDriver>;

export const VolumeNodeResources = struct('storage/v1.VolumeNodeResources', () => ({
  count: field(1, int32, { pointer: true }),
}));

export const CSIStorageCapacity = struct('storage/v1.CSIStorageCapacity', () => ({
  metadata: field(1, ObjectMeta),
  nodeTopology: field(2, LabelSelector, { pointer: true }),
  storageClassName: field(3, string, { required: true, always: true }),
  capacity: field(4, quantity, { pointer: true }),
  maximumVolumeSize: field(5, quantity, { pointer: true }),
}));

export type CSIStorageCapacity = ObjectOf<typeof CSIStorageCapacity>;
