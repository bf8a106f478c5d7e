import type { TypeTexts } from './type-texts.ts';

const driver = 'Name of the driver, a DNS name.';
const driverOfDevice = 'Driver of the device.';
const pool = 'Pool of the device.';
const device = 'Name of the device in its pool.';
const configuredRequests =
  'Requests of the claim that it applies to; `<request>/<subrequest>` names an alternative. Empty: all.';
const bindingConditions =
  'Conditions of the allocated device that must become true before the pod is bound to the node. At most 4.';
const bindingFailureConditions =
  'Conditions of the allocated device that make the binding fail when one becomes true. At most 4.';
const shareId = 'Identifies the share, if the device is allocated to several claims at a time.';
const selectors = 'Conditions that devices must meet. All must hold. At most 32.';
const allocationMode = 'ExactCount allocates `count` devices, All every matching device of a pool. Default ExactCount.';
const count = 'How many devices. Only with mode ExactCount. Default 1.';
const tolerations = 'Taints of devices that are accepted. At most 16.';
const capacity = 'How much of the capacity of a device that can be shared is needed.';
const deviceClassName = 'The DeviceClass of the device.';
const taintKey = 'Name of the taint.';

export const resourceV1: TypeTexts = {
  AllocatedDeviceStatus: {
    '': 'What a driver reports about an allocated device.',
    driver: driverOfDevice,
    pool,
    device,
    shareID: shareId,
    conditions: 'Conditions that describe the state of the device. At most 8.',
    data: 'Any data of the driver. At most 10 KiB.',
    networkData: 'Addresses of a network device.',
  },
  AllocationResult: {
    '': 'What was allocated for a claim.',
    devices: 'The devices.',
    nodeSelector: 'Nodes from which the devices can be used. Absent: all.',
    allocationTimestamp: 'When it was allocated.',
  },
  CELDeviceSelector: {
    '': 'Selects devices by a CEL expression.',
    expression:
      'Yields whether a device matches. `device` has driver, attributes, capacity and allowMultipleAllocations. At ' +
      'most 10 KiB.',
  },
  CapacityRequestPolicy: {
    '':
      'How much of a capacity a claim may take. Requests are rounded up to an allowed amount. At most one of the two ' +
      'limits is set.',
    default: 'Amount for claims that ask for none. It must be an allowed amount.',
    validValues: 'The allowed amounts, in ascending order. At most 10.',
    validRange: 'A range of allowed amounts.',
  },
  CapacityRequestPolicyRange: {
    '': 'A range of allowed amounts.',
    min: 'The least amount.',
    max: 'The greatest amount. Default: the capacity of the device.',
    step: 'Distance between allowed amounts, counted from `min`.',
  },
  CapacityRequirements: {
    '': 'How much capacity is needed.',
    requests: 'Amount by capacity name. Capacities that are not named get the default of their policy, or all of it.',
  },
  Counter: {
    '': 'An amount that devices share.',
    value: 'How much there is, or how much is consumed.',
  },
  CounterSet: {
    '': 'Amounts that several devices of a pool draw from.',
    name: 'Name of the set, unique in the pool.',
    counters: 'The amounts by name. At most 32.',
  },
  Device: {
    '': 'A device that a driver offers.',
    name: 'Name of the device, unique in its pool. A DNS label.',
    attributes: 'Properties of the device by name. Attributes and capacities together: at most 32.',
    capacity: 'Capacities of the device by name.',
    consumesCounters: 'What the device takes from shared counters when it is allocated. At most 2 sets.',
    nodeName: 'The node of the device. Only if the slice selects nodes for each device.',
    nodeSelector: 'Nodes from which the device can be used. Only if the slice selects nodes for each device.',
    allNodes: 'Whether all nodes can use the device. Only if the slice selects nodes for each device.',
    taints: 'Taints of the device. At most 16.',
    bindsToNode: 'Restrict the use of the allocation to the node that was chosen for the first pod.',
    bindingConditions,
    bindingFailureConditions,
    allowMultipleAllocations: 'Whether several claims may share the device, each with a part of its capacity.',
    nodeAllocatableResourceMappings:
      'Node resources, such as cpu or memory, that the device stands for or uses up, by resource name.',
  },
  DeviceAllocationConfiguration: {
    '': 'Settings of allocated devices, and where they come from.',
    source: 'FromClass or FromClaim.',
    requests: configuredRequests,
  },
  DeviceAllocationResult: {
    '': 'The devices that were allocated for a claim.',
    results: 'The devices.',
    config: 'Settings of the devices, first those of classes, then those of the claim. Later ones win.',
  },
  DeviceAttribute: {
    '': 'A property of a device. Exactly one field is set.',
    int: 'A number.',
    bool: 'A truth value.',
    string: 'A text of at most 64 characters.',
    version: 'A semantic version of at most 64 characters.',
    ints: 'A list of numbers.',
    bools: 'A list of truth values.',
    strings: 'A list of texts.',
    versions: 'A list of semantic versions.',
  },
  DeviceCapacity: {
    '': 'A capacity of a device.',
    value: 'How much there is.',
    requestPolicy: 'How much a claim may take of it. Only for devices that can be shared.',
  },
  DeviceClaim: {
    '': 'The devices that a claim asks for.',
    requests: 'The requests. All must be met. At most 32.',
    constraints: 'Conditions on the devices together. At most 32.',
    config: 'Settings for the drivers. At most 32.',
  },
  DeviceClaimConfiguration: {
    '': 'Settings of the devices of a claim.',
    requests: configuredRequests,
  },
  DeviceClass: {
    '': 'A kind of device with its settings, which claims refer to.',
    spec: 'Which devices, and their settings.',
  },
  DeviceClassConfiguration: { '': 'Settings of the devices of a class.' },
  DeviceClassSpec: {
    '': 'The devices of a class, and their settings.',
    selectors,
    config: 'Settings for the drivers. At most 32.',
    extendedResourceName:
      'Extended resource, such as `example.com/gpu`, whose requests in pods are met with devices of the class.',
  },
  DeviceConfiguration: {
    '': 'Settings of devices. Exactly one field is set.',
    opaque: 'Settings that only the driver understands.',
  },
  DeviceConstraint: {
    '': 'A condition on several devices together. Exactly one attribute is set.',
    requests: 'Requests whose devices it is about. Empty: all of the claim.',
    matchAttribute: 'Attribute, with its domain, that must be the same for all devices.',
    distinctAttribute: 'Attribute, with its domain, that must be different for all devices.',
  },
  DeviceCounterConsumption: {
    '': 'What a device takes from shared counters.',
    counterSet: 'Name of the set.',
    counters: 'Amounts by counter name. At most 32.',
  },
  DeviceRequest: {
    '': 'A request for devices. Either `exactly` or `firstAvailable` is set.',
    name: 'Name of the request, unique in the claim. Containers can refer to it.',
    exactly: 'What is needed.',
    firstAvailable: 'Alternatives in order of preference; the first that can be met is used. At most 8.',
  },
  DeviceRequestAllocationResult: {
    '': 'A device that was allocated.',
    request: 'The request it is for; `<request>/<subrequest>` if it was an alternative.',
    driver: driverOfDevice,
    pool,
    device,
    adminAccess: 'Allocated for administrative access, even if the device is in use.',
    tolerations: 'Tolerations of the request.',
    bindingConditions,
    bindingFailureConditions,
    shareID: shareId,
    consumedCapacity: 'How much of the capacities of a shared device the claim takes.',
  },
  DeviceSelector: {
    '': 'A condition on devices. Exactly one field is set.',
    cel: 'A CEL expression.',
  },
  DeviceSubRequest: {
    '': 'An alternative of a request.',
    name: 'Name of the alternative, unique in the request.',
    deviceClassName,
    selectors,
    allocationMode,
    count,
    tolerations,
    capacity,
  },
  DeviceTaint: {
    '': 'Keeps claims away from a device unless they tolerate it.',
    key: taintKey,
    value: 'Value of the taint.',
    effect: 'NoSchedule prevents new allocations, NoExecute also evicts pods that use the device, None does nothing.',
    timeAdded: 'When the taint was added. Set by the server if absent.',
  },
  DeviceToleration: {
    '': 'Accepts matching taints of devices.',
    key: 'The taint. Empty with operator Exists matches all taints.',
    operator: 'Exists (any value) or Equal. Default Equal.',
    value: 'The value to compare with. Empty with operator Exists.',
    effect: 'The effect to tolerate. Empty means all.',
    tolerationSeconds:
      'With effect NoExecute: seconds that the pod stays after the taint appears. Absent: it stays. Zero or less: it ' +
      'is evicted at once.',
  },
  ExactDeviceRequest: {
    '': 'A request for devices of one class.',
    deviceClassName,
    selectors,
    allocationMode,
    count,
    adminAccess:
      'Ask for access to devices that are in use, for administration. The namespace must be labelled for it.',
    tolerations,
    capacity,
  },
  NetworkDeviceData: {
    '': 'Addresses of a network device.',
    interfaceName: 'Name of the interface in the pod.',
    ips: 'Addresses of the interface with prefix length, such as `192.0.2.5/24`. At most 16.',
    hardwareAddress: 'Hardware address of the interface.',
  },
  NodeAllocatableResourceMapping: {
    '': 'How much of a node resource an allocation of the device takes.',
    capacityKey: 'Capacity of the device whose consumed amount is taken. Absent: the number of devices.',
    allocationMultiplier: 'Factor for that amount. Default 1.',
  },
  OpaqueDeviceConfiguration: {
    '': 'Settings that only a driver understands.',
    driver: 'The driver that they are for.',
    parameters: 'The settings, an object with apiVersion and kind. At most 10 KiB.',
  },
  ResourceClaim: {
    '': 'Asks for devices, which are then allocated to pods.',
    spec: 'The requested devices. It cannot be changed.',
    status: 'What was allocated, and who uses it.',
  },
  ResourceClaimConsumerReference: {
    '': 'Who uses a claim, mostly a pod.',
    apiGroup: 'API group. Empty for the core group.',
    resource: 'Plural name of the resource, such as `pods`.',
    name: 'Name of the object.',
    uid: 'UID of the object.',
  },
  ResourceClaimSpec: {
    '': 'What a claim asks for.',
    devices: 'The devices.',
  },
  ResourceClaimStatus: {
    '': 'What was allocated for a claim, and who uses it.',
    allocation: 'What was allocated. Absent: nothing yet.',
    reservedFor: 'Who may use the claim now. While there is anyone, it is not released. At most 256.',
    devices: 'What drivers report about the devices.',
  },
  ResourceClaimTemplate: {
    '': 'Template for claims that are created for single pods.',
    spec: 'The claim. It cannot be changed.',
  },
  ResourceClaimTemplateSpec: {
    '': 'A claim to be made for a pod.',
    metadata: 'Labels and annotations of the claim. Nothing else may be set.',
    spec: 'The spec of the claim.',
  },
  ResourcePool: {
    '': 'The pool that a slice belongs to.',
    name: 'Name of the pool, mostly that of a node. Unique for the driver.',
    generation: 'Grows when the pool changes. Slices of older generations do not count.',
    resourceSliceCount: 'How many slices the pool has in this generation. With fewer the pool is incomplete.',
  },
  ResourceSlice: {
    '': 'Some of the devices of a pool, published by their driver.',
    spec: 'The devices, and where they can be used.',
  },
  ResourceSliceSpec: {
    '': 'The devices of a slice. Exactly one of the four ways to select nodes is set.',
    driver: `${driver} It cannot be changed.`,
    pool: 'The pool that the slice belongs to.',
    nodeName: 'The node that has the devices. It cannot be changed.',
    nodeSelector: 'Nodes from which the devices can be used, as one term.',
    allNodes: 'Whether all nodes can use the devices.',
    devices: 'The devices. At most 128, or 64 if taints or counters are used.',
    perDeviceNodeSelection: 'Each device says itself which nodes can use it.',
    sharedCounters: 'Amounts that devices of the pool share. At most 8. Excludes `devices`.',
  },
};
