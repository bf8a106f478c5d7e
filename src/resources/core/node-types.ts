import {
  bool,
  field,
  int32,
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
import { Taint } from './scheduling-types.ts';

export const Node = struct('core/v1.Node', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, NodeSpec),
  status: field(3, NodeStatus),
}));

export type Node = ObjectOf<typeof Node>;

export const NodeSpec = struct('core/v1.NodeSpec', () => ({
  podCIDR: field(1, string, { defaulted: true }),
  podCIDRs: field(7, listOf(string), { defaulted: true, list: 'set', patch: { strategies: ['merge'] } }),
  providerID: field(3, string),
  unschedulable: field(4, bool),
  taints: field(5, listOf(Taint), { list: 'atomic', defaulted: true }),
  configSource: field(6, NodeConfigSource, { pointer: true }),
  externalID: field(2, string),
}));

export type NodeSpec = TypeOf<typeof NodeSpec>;

export const NodeConfigSource = struct('core/v1.NodeConfigSource', () => ({
  configMap: field(2, ConfigMapNodeConfigSource, { pointer: true }),
}));

export const ConfigMapNodeConfigSource = struct('core/v1.ConfigMapNodeConfigSource', () => ({
  namespace: field(1, string, { required: true, always: true }),
  name: field(2, string, { required: true, always: true }),
  uid: field(3, namedString('types.UID')),
  resourceVersion: field(4, string),
  kubeletConfigKey: field(5, string, { required: true, always: true }),
}));

export const NodeStatus = struct('core/v1.NodeStatus', () => ({
  capacity: field(1, mapOf(quantity)),
  allocatable: field(2, mapOf(quantity), { defaulted: true }),
  phase: field(3, namedString('core/v1.NodePhase'), { enum: ['Pending', 'Running', 'Terminated'] }),
  conditions: field(4, listOf(NodeCondition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
  addresses: field(5, listOf(NodeAddress), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
  daemonEndpoints: field(6, NodeDaemonEndpoints),
  nodeInfo: field(7, NodeSystemInfo),
  images: field(8, listOf(ContainerImage), { list: 'atomic' }),
  volumesInUse: field(9, listOf(namedString('core/v1.UniqueVolumeName')), { list: 'atomic' }),
  volumesAttached: field(10, listOf(AttachedVolume), { list: 'atomic' }),
  config: field(11, NodeConfigStatus, { pointer: true }),
  runtimeHandlers: field(12, listOf(NodeRuntimeHandler), { list: 'atomic' }),
  features: field(13, NodeFeatures, { pointer: true }),
  declaredFeatures: field(14, listOf(string), { list: 'atomic' }),
}));

export type NodeStatus = TypeOf<typeof NodeStatus>;

export const NodeCondition = struct('core/v1.NodeCondition', () => ({
  type: field(1, namedString('core/v1.NodeConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastHeartbeatTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
}));

export const NodeAddress = struct('core/v1.NodeAddress', () => ({
  type: field(1, namedString('core/v1.NodeAddressType'), { required: true, always: true }),
  address: field(2, string, { required: true, always: true }),
}));

export const NodeDaemonEndpoints = struct('core/v1.NodeDaemonEndpoints', () => ({
  kubeletEndpoint: field(1, DaemonEndpoint),
}));

export const DaemonEndpoint = struct('core/v1.DaemonEndpoint', () => ({
  Port: field(1, int32, { required: true, always: true }),
}));

export const NodeSystemInfo = struct('core/v1.NodeSystemInfo', () => ({
  machineID: field(1, string, { required: true, always: true }),
  systemUUID: field(2, string, { required: true, always: true }),
  bootID: field(3, string, { required: true, always: true }),
  kernelVersion: field(4, string, { required: true, always: true }),
  osImage: field(5, string, { required: true, always: true }),
  containerRuntimeVersion: field(6, string, { required: true, always: true }),
  kubeletVersion: field(7, string, { required: true, always: true }),
  kubeProxyVersion: field(8, string, { required: true, always: true }),
  operatingSystem: field(9, string, { required: true, always: true }),
  architecture: field(10, string, { required: true, always: true }),
  swap: field(11, NodeSwapStatus, { pointer: true }),
}));

export const NodeSwapStatus = struct('core/v1.NodeSwapStatus', () => ({
  capacity: field(1, int64, { pointer: true }),
}));

export const ContainerImage = struct('core/v1.ContainerImage', () => ({
  names: field(1, listOf(string), { always: true, list: 'atomic' }),
  sizeBytes: field(2, int64),
}));

export const AttachedVolume = struct('core/v1.AttachedVolume', () => ({
  name: field(1, namedString('core/v1.UniqueVolumeName'), { required: true, always: true }),
  devicePath: field(2, string, { required: true, always: true }),
}));

export const NodeConfigStatus = struct('core/v1.NodeConfigStatus', () => ({
  assigned: field(1, NodeConfigSource, { pointer: true }),
  active: field(2, NodeConfigSource, { pointer: true }),
  lastKnownGood: field(3, NodeConfigSource, { pointer: true }),
  error: field(4, string),
}));

export const NodeRuntimeHandler = struct('core/v1.NodeRuntimeHandler', () => ({
  name: field(1, string, { always: true }),
  features: field(2, NodeRuntimeHandlerFeatures, { pointer: true }),
}));

export const NodeRuntimeHandlerFeatures = struct('core/v1.NodeRuntimeHandlerFeatures', () => ({
  recursiveReadOnlyMounts: field(1, bool, { pointer: true }),
  userNamespaces: field(2, bool, { pointer: true }),
}));

export const NodeFeatures = struct('core/v1.NodeFeatures', () => ({
  supplementalGroupsPolicy: field(1, bool, { pointer: true }),
}));
