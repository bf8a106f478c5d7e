import {
  bool,
  field,
  int64,
  listOf,
  mapOf,
  namedString,
  quantity,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { NodeSelector } from '../core/scheduling-types.ts';

export const ResourceSlice = struct('resource/v1.ResourceSlice', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceSliceSpec, { required: true, always: true }),
}));

export type ResourceSlice = ObjectOf<typeof ResourceSlice>;

export const ResourceSliceSpec = struct('resource/v1.ResourceSliceSpec', () => ({
  driver: field(1, string, { required: true, always: true }),
  pool: field(2, ResourcePool, { required: true, always: true }),
  nodeName: field(3, string, { pointer: true }),
  nodeSelector: field(4, NodeSelector, { pointer: true }),
  allNodes: field(5, bool, { pointer: true }),
  devices: field(6, listOf(Device), { list: 'atomic' }),
  perDeviceNodeSelection: field(7, bool, { pointer: true }),
  sharedCounters: field(8, listOf(CounterSet), { list: 'atomic' }),
}));

export type ResourceSliceSpec = TypeOf<typeof ResourceSliceSpec>;

export const ResourcePool = struct('resource/v1.ResourcePool', () => ({
  name: field(1, string, { required: true, always: true }),
  generation: field(2, int64, { required: true, always: true }),
  resourceSliceCount: field(3, int64, { required: true, always: true }),
}));

export const Device = struct('resource/v1.Device', () => ({
  name: field(1, string, { required: true, always: true }),
  attributes: field(2, mapOf(DeviceAttribute)),
  capacity: field(3, mapOf(DeviceCapacity)),
  consumesCounters: field(4, listOf(DeviceCounterConsumption), { list: 'atomic' }),
  nodeName: field(5, string, { pointer: true }),
  nodeSelector: field(6, NodeSelector, { pointer: true }),
  allNodes: field(7, bool, { pointer: true }),
  taints: field(8, listOf(DeviceTaint), { list: 'atomic' }),
  bindsToNode: field(9, bool, { pointer: true }),
  bindingConditions: field(10, listOf(string), { list: 'atomic' }),
  bindingFailureConditions: field(11, listOf(string), { list: 'atomic' }),
  allowMultipleAllocations: field(12, bool, { pointer: true }),
  nodeAllocatableResourceMappings: field(13, mapOf(NodeAllocatableResourceMapping)),
}));

export type Device = TypeOf<typeof Device>;

export const DeviceAttribute = struct('resource/v1.DeviceAttribute', () => ({
  int: field(2, int64, { pointer: true }),
  bool: field(3, bool, { pointer: true }),
  string: field(4, string, { pointer: true }),
  version: field(5, string, { pointer: true }),
  ints: field(6, listOf(int64), { list: 'atomic' }),
  bools: field(7, listOf(bool), { list: 'atomic' }),
  strings: field(8, listOf(string), { list: 'atomic' }),
  versions: field(9, listOf(string), { list: 'atomic' }),
}));

export type DeviceAttribute = TypeOf<typeof DeviceAttribute>;

export const DeviceCapacity = struct('resource/v1.DeviceCapacity', () => ({
  value: field(1, quantity, { required: true, always: true }),
  requestPolicy: field(2, CapacityRequestPolicy, { pointer: true }),
}));

export type DeviceCapacity = TypeOf<typeof DeviceCapacity>;

export const CapacityRequestPolicy = struct('resource/v1.CapacityRequestPolicy', () => ({
  default: field(1, quantity, { pointer: true, always: true }),
  validValues: field(3, listOf(quantity), { list: 'atomic' }),
  validRange: field(4, CapacityRequestPolicyRange, { pointer: true }),
}));

export type CapacityRequestPolicy = TypeOf<typeof CapacityRequestPolicy>;

export const CapacityRequestPolicyRange = struct('resource/v1.CapacityRequestPolicyRange', () => ({
  min: field(1, quantity, { required: true, pointer: true }),
  max: field(2, quantity, { pointer: true }),
  step: field(3, quantity, { pointer: true }),
}));

export type CapacityRequestPolicyRange = TypeOf<typeof CapacityRequestPolicyRange>;

export const DeviceCounterConsumption = struct('resource/v1.DeviceCounterConsumption', () => ({
  counterSet: field(1, string, { required: true, always: true }),
  counters: field(2, mapOf(Counter), { required: true }),
}));

export type DeviceCounterConsumption = TypeOf<typeof DeviceCounterConsumption>;

export const Counter = struct('resource/v1.Counter', () => ({
  value: field(1, quantity, { required: true, always: true }),
}));

export const DeviceTaint = struct('resource/v1.DeviceTaint', () => ({
  key: field(1, string, { required: true, always: true }),
  value: field(2, string),
  effect: field(3, namedString('resource/v1.DeviceTaintEffect'), {
    required: true,
    always: true,
    enum: ['None', 'NoSchedule', 'NoExecute'],
  }),
  timeAdded: field(4, time, { pointer: true, defaulted: true }),
}));

export type DeviceTaint = TypeOf<typeof DeviceTaint>;

export const NodeAllocatableResourceMapping = struct('resource/v1.NodeAllocatableResourceMapping', () => ({
  capacityKey: field(1, namedString('resource/v1.QualifiedName'), { pointer: true }),
  allocationMultiplier: field(2, quantity, { pointer: true }),
}));

export const CounterSet = struct('resource/v1.CounterSet', () => ({
  name: field(1, string, { required: true, always: true }),
  counters: field(2, mapOf(Counter), { required: true }),
}));
