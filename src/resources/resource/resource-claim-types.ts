import {
  bool,
  field,
  int64,
  listOf,
  mapOf,
  namedString,
  quantity,
  rawExtension,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { NodeSelector } from '../core/scheduling-types.ts';
import { CapacityRequirements, DeviceConfiguration, DeviceSelector, DeviceToleration } from './device-request-types.ts';

export const ResourceClaim = struct('resource/v1.ResourceClaim', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceClaimSpec, { required: true, always: true }),
  status: field(3, ResourceClaimStatus),
}));

export type ResourceClaim = ObjectOf<typeof ResourceClaim>;

export const ResourceClaimSpec = struct('resource/v1.ResourceClaimSpec', () => ({
  devices: field(1, DeviceClaim, { always: true }),
}));

export type ResourceClaimSpec = TypeOf<typeof ResourceClaimSpec>;

export const DeviceClaim = struct('resource/v1.DeviceClaim', () => ({
  requests: field(1, listOf(DeviceRequest), { always: true, list: 'atomic' }),
  constraints: field(2, listOf(DeviceConstraint), { list: 'atomic' }),
  config: field(3, listOf(DeviceClaimConfiguration), { list: 'atomic' }),
}));

export type DeviceClaim = TypeOf<typeof DeviceClaim>;

export const DeviceRequest = struct('resource/v1.DeviceRequest', () => ({
  name: field(1, string, { required: true, always: true }),
  exactly: field(2, ExactDeviceRequest, { pointer: true }),
  firstAvailable: field(3, listOf(DeviceSubRequest), { list: 'atomic' }),
}));

export type DeviceRequest = TypeOf<typeof DeviceRequest>;

export const allocationModes = ['All', 'ExactCount'];

export const ExactDeviceRequest = struct('resource/v1.ExactDeviceRequest', () => ({
  deviceClassName: field(1, string, { required: true, always: true }),
  selectors: field(2, listOf(DeviceSelector), { list: 'atomic' }),
  allocationMode: field(3, namedString('resource/v1.DeviceAllocationMode'), { defaulted: true, enum: allocationModes }),
  count: field(4, int64, { defaulted: true }),
  adminAccess: field(5, bool, { pointer: true }),
  tolerations: field(6, listOf(DeviceToleration), { list: 'atomic' }),
  capacity: field(7, CapacityRequirements, { pointer: true }),
}));

export type ExactDeviceRequest = TypeOf<typeof ExactDeviceRequest>;

export const DeviceSubRequest = struct('resource/v1.DeviceSubRequest', () => ({
  name: field(1, string, { required: true, always: true }),
  deviceClassName: field(2, string, { required: true, always: true }),
  selectors: field(3, listOf(DeviceSelector), { list: 'atomic' }),
  allocationMode: field(4, namedString('resource/v1.DeviceAllocationMode'), { defaulted: true, enum: allocationModes }),
  count: field(5, int64, { defaulted: true }),
  tolerations: field(6, listOf(DeviceToleration), { list: 'atomic' }),
  capacity: field(7, CapacityRequirements, { pointer: true }),
}));

export const DeviceConstraint = struct('resource/v1.DeviceConstraint', () => ({
  requests: field(1, listOf(string), { list: 'atomic' }),
  matchAttribute: field(2, namedString('resource/v1.FullyQualifiedName'), { pointer: true }),
  distinctAttribute: field(3, namedString('resource/v1.FullyQualifiedName'), { pointer: true }),
}));

export type DeviceConstraint = TypeOf<typeof DeviceConstraint>;

export const DeviceClaimConfiguration = struct('resource/v1.DeviceClaimConfiguration', () => ({
  requests: field(1, listOf(string), { list: 'atomic' }),
  deviceConfiguration: field(2, DeviceConfiguration, { inline: true }),
}));

export const ResourceClaimStatus = struct('resource/v1.ResourceClaimStatus', () => ({
  allocation: field(1, AllocationResult, { pointer: true }),
  reservedFor: field(2, listOf(ResourceClaimConsumerReference), {
    list: ['uid'],
    patch: { strategies: ['merge'], mergeKey: 'uid' },
  }),
  devices: field(4, listOf(AllocatedDeviceStatus), { list: ['driver', 'device', 'pool', 'shareID'] }),
}));

export type ResourceClaimStatus = TypeOf<typeof ResourceClaimStatus>;

export const AllocationResult = struct('resource/v1.AllocationResult', () => ({
  devices: field(1, DeviceAllocationResult),
  nodeSelector: field(3, NodeSelector, { pointer: true }),
  allocationTimestamp: field(5, time, { pointer: true }),
}));

export type AllocationResult = TypeOf<typeof AllocationResult>;

export const DeviceAllocationResult = struct('resource/v1.DeviceAllocationResult', () => ({
  results: field(1, listOf(DeviceRequestAllocationResult), { list: 'atomic' }),
  config: field(2, listOf(DeviceAllocationConfiguration), { list: 'atomic' }),
}));

export const DeviceRequestAllocationResult = struct('resource/v1.DeviceRequestAllocationResult', () => ({
  request: field(1, string, { required: true, always: true }),
  driver: field(2, string, { required: true, always: true }),
  pool: field(3, string, { required: true, always: true }),
  device: field(4, string, { required: true, always: true }),
  adminAccess: field(5, bool, { pointer: true }),
  tolerations: field(6, listOf(DeviceToleration), { list: 'atomic' }),
  bindingConditions: field(7, listOf(string), { list: 'atomic' }),
  bindingFailureConditions: field(8, listOf(string), { list: 'atomic' }),
  shareID: field(9, namedString('types.UID'), { pointer: true }),
  consumedCapacity: field(10, mapOf(quantity)),
}));

export type DeviceRequestAllocationResult = TypeOf<typeof DeviceRequestAllocationResult>;

export const DeviceAllocationConfiguration = struct('resource/v1.DeviceAllocationConfiguration', () => ({
  source: field(1, namedString('resource/v1.AllocationConfigSource'), {
    required: true,
    always: true,
    enum: ['FromClaim', 'FromClass'],
  }),
  requests: field(2, listOf(string), { list: 'atomic' }),
  deviceConfiguration: field(3, DeviceConfiguration, { inline: true }),
}));

export const ResourceClaimConsumerReference = struct('resource/v1.ResourceClaimConsumerReference', () => ({
  apiGroup: field(1, string),
  resource: field(3, string, { required: true, always: true }),
  name: field(4, string, { required: true, always: true }),
  uid: field(5, namedString('types.UID'), { required: true, always: true }),
}));

export type ResourceClaimConsumerReference = TypeOf<typeof ResourceClaimConsumerReference>;

export const AllocatedDeviceStatus = struct('resource/v1.AllocatedDeviceStatus', () => ({
  driver: field(1, string, { required: true, always: true }),
  pool: field(2, string, { required: true, always: true }),
  device: field(3, string, { required: true, always: true }),
  shareID: field(7, string, { pointer: true }),
  conditions: field(4, listOf(Condition), { always: true, list: ['type'] }),
  data: field(5, rawExtension, { pointer: true }),
  networkData: field(6, NetworkDeviceData, { pointer: true }),
}));

export type AllocatedDeviceStatus = TypeOf<typeof AllocatedDeviceStatus>;

export const NetworkDeviceData = struct('resource/v1.NetworkDeviceData', () => ({
  interfaceName: field(1, string),
  ips: field(2, listOf(string), { list: 'atomic' }),
  hardwareAddress: field(3, string),
}));

export const ResourceClaimTemplate = struct('resource/v1.ResourceClaimTemplate', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceClaimTemplateSpec, { required: true, always: true }),
}));

export const ResourceClaimTemplateSpec = struct('resource/v1.ResourceClaimTemplateSpec', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceClaimSpec, { required: true, always: true }),
}));

export type ResourceClaimTemplateSpec = TypeOf<typeof ResourceClaimTemplateSpec>;

/** The type with which kube-apiserver identifies devices. Error messages show it. */
export const SharedDeviceID = struct('resource/internal.SharedDeviceID', () => ({
  driver: field(1, string),
  pool: field(2, string),
  device: field(3, string),
  shareID: field(4, string),
}));
