import { field, int32, int64, listOf, string, struct } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const ResourcePoolStatusRequest = struct('resource/v1alpha3.ResourcePoolStatusRequest', () => ({
  metadata: field(1, ObjectMeta, { required: true }),
  spec: field(2, ResourcePoolStatusRequestSpec, { required: true, always: true }),
  status: field(3, ResourcePoolStatusRequestStatus, { pointer: true }),
}));

export type ResourcePoolStatusRequest = ObjectOf<typeof ResourcePoolStatusRequest>;

export const ResourcePoolStatusRequestSpec = struct('resource/v1alpha3.ResourcePoolStatusRequestSpec', () => ({
  driver: field(1, string, { required: true, always: true }),
  poolName: field(2, string, { pointer: true }),
  limit: field(3, int32, { pointer: true, default: 100 }),
}));

export type ResourcePoolStatusRequestSpec = TypeOf<typeof ResourcePoolStatusRequestSpec>;

export const ResourcePoolStatusRequestStatus = struct('resource/v1alpha3.ResourcePoolStatusRequestStatus', () => ({
  poolCount: field(6, int32, { required: true, pointer: true }),
  pools: field(2, listOf(PoolStatus), { list: 'atomic' }),
  conditions: field(3, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
}));

export type ResourcePoolStatusRequestStatus = TypeOf<typeof ResourcePoolStatusRequestStatus>;

export const PoolStatus = struct('resource/v1alpha3.PoolStatus', () => ({
  driver: field(1, string, { required: true }),
  poolName: field(2, string, { required: true }),
  generation: field(9, int64, { required: true, always: true }),
  resourceSliceCount: field(8, int32, { pointer: true }),
  totalDevices: field(4, int32, { pointer: true }),
  allocatedDevices: field(5, int32, { pointer: true }),
  availableDevices: field(6, int32, { pointer: true }),
  unavailableDevices: field(7, int32, { pointer: true }),
  nodeName: field(3, string, { pointer: true }),
  validationError: field(10, string, { pointer: true }),
}));

export type PoolStatus = TypeOf<typeof PoolStatus>;
