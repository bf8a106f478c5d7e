import { field, int64, listOf, mapOf, namedString, quantity, string, struct, time } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { ContainerStatus } from './container-status-types.ts';
import { ResourceRequirements } from './resource-requirement-types.ts';

export const PodStatus = struct('core/v1.PodStatus', () => ({
  observedGeneration: field(17, int64),
  phase: field(1, namedString('core/v1.PodPhase'), { enum: ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] }),
  conditions: field(2, listOf(PodCondition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
  message: field(3, string),
  reason: field(4, string),
  nominatedNodeName: field(11, string),
  hostIP: field(5, string),
  hostIPs: field(16, listOf(HostIP), { list: 'atomic', patch: { strategies: ['merge'], mergeKey: 'ip' } }),
  podIP: field(6, string, { defaulted: true }),
  podIPs: field(12, listOf(PodIP), { defaulted: true, list: ['ip'], patch: { strategies: ['merge'], mergeKey: 'ip' } }),
  startTime: field(7, time, { pointer: true }),
  initContainerStatuses: field(10, listOf(ContainerStatus), { list: 'atomic' }),
  containerStatuses: field(8, listOf(ContainerStatus), { list: 'atomic' }),
  qosClass: field(9, namedString('core/v1.PodQOSClass'), {
    defaulted: true,
    enum: ['Guaranteed', 'Burstable', 'BestEffort'],
  }),
  ephemeralContainerStatuses: field(13, listOf(ContainerStatus), { list: 'atomic' }),
  resize: field(14, namedString('core/v1.PodResizeStatus')),
  resourceClaimStatuses: field(15, listOf(PodResourceClaimStatus), {
    list: ['name'],
    patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  }),
  extendedResourceClaimStatus: field(18, PodExtendedResourceClaimStatus, { pointer: true }),
  allocatedResources: field(19, mapOf(quantity)),
  resources: field(20, ResourceRequirements, { pointer: true }),
  nodeAllocatableResourceClaimStatuses: field(21, listOf(NodeAllocatableResourceClaimStatus), { list: 'atomic' }),
}));

export type PodStatus = TypeOf<typeof PodStatus>;

export const PodCondition = struct('core/v1.PodCondition', () => ({
  type: field(1, namedString('core/v1.PodConditionType'), { required: true, always: true }),
  observedGeneration: field(7, int64),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastProbeTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
}));

export type PodCondition = TypeOf<typeof PodCondition>;

export const HostIP = struct('core/v1.HostIP', () => ({
  ip: field(1, string, { required: true, always: true }),
}));

export const PodIP = struct('core/v1.PodIP', () => ({
  ip: field(1, string, { required: true, always: true }),
}));

export type PodIP = TypeOf<typeof PodIP>;

export const PodResourceClaimStatus = struct('core/v1.PodResourceClaimStatus', () => ({
  name: field(1, string, { required: true, always: true }),
  resourceClaimName: field(2, string, { pointer: true }),
}));

export const PodExtendedResourceClaimStatus = struct('core/v1.PodExtendedResourceClaimStatus', () => ({
  requestMappings: field(1, listOf(ContainerExtendedResourceRequest), { required: true, always: true, list: 'atomic' }),
  resourceClaimName: field(2, string, { required: true, always: true }),
}));

export type PodExtendedResourceClaimStatus = TypeOf<typeof PodExtendedResourceClaimStatus>;

export const ContainerExtendedResourceRequest = struct('core/v1.ContainerExtendedResourceRequest', () => ({
  containerName: field(1, string, { required: true, always: true }),
  resourceName: field(2, string, { required: true, always: true }),
  requestName: field(3, string, { required: true, always: true }),
}));

export type ContainerExtendedResourceRequest = TypeOf<typeof ContainerExtendedResourceRequest>;

export const NodeAllocatableResourceClaimStatus = struct('core/v1.NodeAllocatableResourceClaimStatus', () => ({
  resourceClaimName: field(1, string, { required: true, always: true }),
  containers: field(2, listOf(string), { list: 'set' }),
  resources: field(3, mapOf(quantity), { required: true, always: true }),
}));
