import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

/** Nodes and their status. */
export const coreV1Nodes: TypeTexts = {
  AttachedVolume: {
    '': 'A volume that is attached to a node.',
    name: 'Name of the volume, which contains its driver.',
    devicePath: 'Path of its device on the node.',
  },
  ConfigMapNodeConfigSource: {
    '': 'A config map with the configuration of a kubelet. No longer used.',
    namespace: 'Namespace of the config map.',
    name: 'Name of the config map.',
    uid: 'UID of the config map. Only in the status.',
    resourceVersion: 'Version of the config map. Only in the status.',
    kubeletConfigKey: 'Entry of the config map with the configuration.',
  },
  ContainerImage: {
    '': 'An image that is present on a node.',
    names: 'Names of the image, by tag and by digest.',
    sizeBytes: 'Size of the image in bytes.',
  },
  DaemonEndpoint: {
    '': 'A port of a daemon.',
    Port: 'Number of the port.',
  },
  Node: {
    '': 'A machine on which pods run.',
    spec: 'Settings of the node.',
    status: 'What the node reports.',
  },
  NodeAddress: {
    '': 'An address of a node.',
    type: 'Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.',
    address: 'The address.',
  },
  NodeCondition: {
    '': 'One aspect of the state of a node.',
    type: 'Name of the condition, such as Ready, MemoryPressure, DiskPressure or PIDPressure.',
    ...conditionTexts,
    lastHeartbeatTime: 'When the condition was last reported.',
  },
  NodeConfigSource: {
    '': 'Where a kubelet takes its configuration from. No longer used.',
    configMap: 'A config map.',
  },
  NodeConfigStatus: {
    '': 'The dynamic configuration of a kubelet. No longer used.',
    assigned: 'The configuration that the node is to use.',
    active: 'The configuration that the node uses.',
    lastKnownGood: 'The configuration that the node falls back to.',
    error: 'What is wrong with the assigned configuration.',
  },
  NodeDaemonEndpoints: {
    '': 'Ports of the daemons of a node.',
    kubeletEndpoint: 'Port of the kubelet.',
  },
  NodeFeatures: {
    '': 'What the container runtime of a node supports.',
    supplementalGroupsPolicy: 'Whether `supplementalGroupsPolicy` of pods is supported.',
  },
  NodeProxyOptions: {
    '': 'Options of a request that is passed on to a node.',
    path: 'Path and query of the request to the kubelet.',
  },
  NodeRuntimeHandler: {
    '': 'A handler of the container runtime.',
    name: 'Name of the handler. Empty for the default one.',
    features: 'What the handler supports.',
  },
  NodeRuntimeHandlerFeatures: {
    '': 'What a handler of the container runtime supports.',
    recursiveReadOnlyMounts: 'Whether it supports recursive read-only mounts.',
    userNamespaces: 'Whether it supports user namespaces, also for volumes.',
  },
  NodeSpec: {
    '': 'Settings of a node.',
    podCIDR: 'Address range for the pods of the node.',
    podCIDRs: 'All address ranges for the pods, at most one per IP family. The first one equals `podCIDR`.',
    providerID: 'ID of the machine at the cloud provider, as `<provider>://<id>`.',
    unschedulable: 'Keep new pods off the node. `kubectl cordon` sets it.',
    taints: 'Taints of the node.',
    configSource: 'No longer used.',
    externalID: 'No longer used.',
  },
  NodeStatus: {
    '': 'What a node reports about itself.',
    capacity: 'All resources of the node.',
    allocatable: 'Resources for pods. Default: the capacity.',
    phase: 'No longer used.',
    conditions: 'Conditions that describe the state, such as whether the node is ready.',
    addresses: 'Addresses under which the node can be reached. Replace the list as a whole; merging by type is unsafe.',
    daemonEndpoints: 'Ports of daemons.',
    nodeInfo: 'IDs and versions of the machine.',
    images: 'Images that are present.',
    volumesInUse: 'Attachable volumes that pods of the node use.',
    volumesAttached: 'Volumes that are attached to the node.',
    config: 'No longer used.',
    runtimeHandlers: 'Handlers of the container runtime.',
    features: 'What the container runtime supports.',
    declaredFeatures:
      'Features of the kubelet that the node declares, so that the scheduler can take them into account.',
  },
  NodeSwapStatus: {
    '': 'Swap memory of a node.',
    capacity: 'Size in bytes.',
  },
  NodeSystemInfo: {
    '': 'IDs and versions of a machine.',
    machineID: 'ID of the machine, unique in the cluster.',
    systemUUID: 'UUID of the system.',
    bootID: 'Changes with every boot.',
    kernelVersion: 'Version of the kernel.',
    osImage: 'Name and version of the operating system.',
    containerRuntimeVersion: 'Name and version of the container runtime.',
    kubeletVersion: 'Version of the kubelet.',
    kubeProxyVersion: 'No longer set.',
    operatingSystem: 'The operating system, such as linux.',
    architecture: 'The processor architecture, such as amd64.',
    swap: 'Swap memory of the machine.',
  },
};
