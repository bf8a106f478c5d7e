import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import {
  ageColumn,
  column,
  containersColumn,
  containersText,
  imagesColumn,
  imagesText,
  nameColumn,
  nameText,
} from './column.ts';

const nodeInternalIpText =
  'List of addresses reachable to the node. Queried from cloud provider, if available. More info: ' +
  'https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as ' +
  'mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is ' +
  'merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an ' +
  'example. Consumers should assume that addresses can change during the lifetime of a Node. However, ' +
  "there are some exceptions where this may not be possible, such as Pods that inherit a Node's address " +
  'in its own status or consumers of the downward API (status.hostIP).';

export const podDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'The aggregate readiness state of this pod for accepting traffic.'),
  column('Status', 'The aggregate status of the containers in this pod.'),
  column(
    'Restarts',
    'The number of times the containers in this pod have been restarted and when the last container in ' +
      'this pod has restarted.',
  ),
  ageColumn,
  column(
    'IP',
    'podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet ' + 'allocated.',
    { priority: 1 },
  ),
  column(
    'Node',
    'NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for ' +
      'scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for ' +
      'this node becomes responsible for the lifecycle of this pod. This field should not be used to ' +
      'express a desire for the pod to be scheduled on a specific node. ' +
      'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename',
    { priority: 1 },
  ),
  column(
    'Nominated Node',
    'nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be ' +
      'scheduled right away as preemption victims receive their graceful termination periods. This field ' +
      'does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the ' +
      'pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the ' +
      'resources on this node to a higher priority pod that is created after preemption. As a result, ' +
      'this field may be different than PodSpec.nodeName when the pod is scheduled.',
    { priority: 1 },
  ),
  column(
    'Readiness Gates',
    'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all ' +
      'its containers are ready AND all conditions specified in the readiness gates have status equal to ' +
      '"True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    { priority: 1 },
  ),
];

export const nodeDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'The status of the node'),
  column('Roles', 'The roles of the node'),
  ageColumn,
  column('Version', 'Kubelet Version reported by the node.'),
  column('Internal-IP', nodeInternalIpText, { priority: 1 }),
  column('External-IP', nodeInternalIpText, { priority: 1 }),
  column('OS-Image', 'OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).', {
    priority: 1,
  }),
  column('Kernel-Version', "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).", {
    priority: 1,
  }),
  column(
    'Container-Runtime',
    'ContainerRuntime Version reported by the node through runtime remote API (e.g. ' + 'containerd://1.4.2).',
    { priority: 1 },
  ),
];

export const serviceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Type',
    'type determines how the Service is exposed. Defaults to ClusterIP. Valid options are ' +
      'ExternalName, ClusterIP, NodePort, and LoadBalancer. "ClusterIP" allocates a cluster-internal IP ' +
      'address for load-balancing to endpoints. Endpoints are determined by the selector or if that is ' +
      'not specified, by manual construction of an Endpoints object or EndpointSlice objects. If ' +
      'clusterIP is "None", no virtual IP is allocated and the endpoints are published as a set of ' +
      'endpoints rather than a virtual IP. "NodePort" builds on ClusterIP and allocates a port on every ' +
      'node which routes to the same endpoints as the clusterIP. "LoadBalancer" builds on NodePort and ' +
      'creates an external load-balancer (if supported in the current cloud) which routes to the same ' +
      'endpoints as the clusterIP. "ExternalName" aliases this service to the specified externalName. ' +
      'Several other fields do not apply to ExternalName services. More info: ' +
      'https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types',
  ),
  column(
    'Cluster-IP',
    'clusterIP is the IP address of the service and is usually assigned randomly. If an address is ' +
      'specified manually, is in-range (as per system configuration), and is not in use, it will be ' +
      'allocated to the service; otherwise creation of the service will fail. This field may not be ' +
      'changed through updates unless the type field is also being changed to ExternalName (which ' +
      'requires this field to be blank) or the type field is being changed from ExternalName (in which ' +
      'case this field may optionally be specified, as describe above).  Valid values are "None", empty ' +
      'string (""), or a valid IP address. Setting this to "None" makes a "headless service" (no virtual ' +
      'IP), which is useful when direct endpoint connections are preferred and proxying is not required. ' +
      ' Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field is specified when ' +
      'creating a Service of type ExternalName, creation will fail. This field will be wiped when ' +
      'updating a Service to type ExternalName. More info: ' +
      'https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies',
  ),
  column(
    'External-IP',
    'externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for ' +
      'this service.  These IPs are not managed by Kubernetes.  The user is responsible for ensuring ' +
      'that traffic arrives at a node with this IP.  A common example is external load-balancers that ' +
      'are not part of the Kubernetes system.',
  ),
  column(
    'Port(s)',
    'The list of ports that are exposed by this service. More info: ' +
      'https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies',
  ),
  ageColumn,
  column(
    'Selector',
    'Route service traffic to pods with label keys and values matching this selector. If empty or not ' +
      'present, the service is assumed to have an external process managing its endpoints, which ' +
      'Kubernetes will not modify. Only applies to types ClusterIP, NodePort, and LoadBalancer. Ignored ' +
      'if type is ExternalName. More info: ' +
      'https://kubernetes.io/docs/concepts/services-networking/service/',
    { priority: 1 },
  ),
];

export const replicationControllerDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Desired',
    'Replicas is the number of desired replicas. This is a pointer to distinguish between explicit ' +
      'zero and unspecified. Defaults to 1. More info: ' +
      'https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller',
    { type: 'integer' },
  ),
  column(
    'Current',
    'Replicas is the most recently observed number of replicas. More info: ' +
      'https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller',
    { type: 'integer' },
  ),
  column('Ready', 'The number of ready replicas for this replication controller.', { type: 'integer' }),
  ageColumn,
  containersColumn,
  imagesColumn,
  column(
    'Selector',
    'Selector is a label query over pods that should match the Replicas count. If Selector is empty, ' +
      'it is defaulted to the labels present on the Pod template. Label keys and values that must match ' +
      'in order to be controlled by this replication controller, if empty defaulted to labels on Pod ' +
      'template. More info: ' +
      'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
    { priority: 1 },
  ),
];

export const configMapDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Data',
    "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' " +
      "or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in " +
      'Data must not overlap with the keys in the BinaryData field, this is enforced during validation ' +
      'process.',
  ),
  ageColumn,
];

export const secretDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Type',
    'Used to facilitate programmatic handling of secret data. More info: ' +
      'https://kubernetes.io/docs/concepts/configuration/secret/#secret-types',
  ),
  column(
    'Data',
    "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. " +
      'The serialized form of the secret data is a base64 encoded string, representing the arbitrary ' +
      '(possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4',
  ),
  ageColumn,
];

export const namespaceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'The status of the namespace'),
  ageColumn,
];

export const eventDefinitions: readonly ColumnDefinition[] = [
  column('Last Seen', 'The time at which the most recent occurrence of this event was recorded.'),
  column('Type', 'Type of this event (Normal, Warning), new types could be added in the future'),
  column(
    'Reason',
    'This should be a short, machine understandable string that gives the reason for the transition ' +
      "into the object's current status.",
  ),
  column('Object', 'The object that this event is about.'),
  column(
    'Subobject',
    'If referring to a piece of an object instead of an entire object, this string should contain a ' +
      'valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, ' +
      'if the object reference is to a container within a pod, this would take on a value like: ' +
      '"spec.containers{name}" (where "name" refers to the name of the container that triggered the ' +
      'event) or if no container name is specified "spec.containers[2]" (container with index 2 in this ' +
      'pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
    { priority: 1 },
  ),
  column('Source', 'The component reporting this event. Should be a short machine understandable string.', {
    priority: 1,
  }),
  column('Message', 'A human-readable description of the status of this operation.'),
  column('First Seen', 'The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)', {
    priority: 1,
  }),
  column('Count', 'The number of times this event has occurred.', { priority: 1 }),
  column('Name', nameText, { format: 'name', priority: 1 }),
];

export const endpointsDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Endpoints',
    'The set of all endpoints is the union of all subsets. Addresses are placed into subsets according ' +
      'to the IPs they share. A single address with multiple ports, some of which are ready and some of ' +
      'which are not (because they come from different containers) will result in the address being ' +
      'displayed in different subsets for the different ports. No address will appear in both Addresses ' +
      'and NotReadyAddresses in the same subset. Sets of addresses and ports that comprise a service.',
  ),
  ageColumn,
];

export const persistentVolumeDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Capacity',
    "capacity is the description of the persistent volume's resources and capacity. More info: " +
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes#capacity',
  ),
  column(
    'Access Modes',
    'accessModes contains all ways the volume can be mounted. More info: ' +
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes',
  ),
  column(
    'Reclaim Policy',
    'persistentVolumeReclaimPolicy defines what happens to a persistent volume when released from its ' +
      'claim. Valid options are Retain (default for manually created PersistentVolumes), Delete (default ' +
      'for dynamically provisioned PersistentVolumes), and Recycle (deprecated). Recycle must be ' +
      'supported by the volume plugin underlying this PersistentVolume. More info: ' +
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes#reclaiming',
  ),
  column(
    'Status',
    'phase indicates if a volume is available, bound to a claim, or released by a claim. More info: ' +
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes#phase',
  ),
  column(
    'Claim',
    'claimRef is part of a bi-directional binding between PersistentVolume and PersistentVolumeClaim. ' +
      'Expected to be non-nil when bound. claim.VolumeName is the authoritative bind between PV and PVC. ' +
      'More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#binding',
  ),
  column('StorageClass', 'StorageClass of the pv'),
  column('VolumeAttributesClass', 'VolumeAttributesClass of the pv'),
  column(
    'Reason',
    'reason is a brief CamelCase string that describes any failure and is meant for machine parsing ' +
      'and tidy display in the CLI.',
  ),
  ageColumn,
  column(
    'VolumeMode',
    'volumeMode defines if a volume is intended to be used with a formatted filesystem or to remain in ' +
      'raw block state. Value of Filesystem is implied when not included in spec.',
    { priority: 1 },
  ),
];

export const persistentVolumeClaimDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'phase represents the current phase of PersistentVolumeClaim.'),
  column('Volume', 'volumeName is the binding reference to the PersistentVolume backing this claim.'),
  column('Capacity', 'capacity represents the actual resources of the underlying volume.'),
  column(
    'Access Modes',
    'accessModes contains the actual access modes the volume backing the PVC has. More info: ' +
      'https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes-1',
  ),
  column('StorageClass', 'StorageClass of the pvc'),
  column('VolumeAttributesClass', 'VolumeAttributesClass of the pvc'),
  ageColumn,
  column(
    'VolumeMode',
    'volumeMode defines what type of volume is required by the claim. Value of Filesystem is implied ' +
      'when not included in claim spec.',
    { priority: 1 },
  ),
];

export const resourceQuotaDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Request', 'Request represents a minimum amount of cpu/memory that a container may consume.'),
  column(
    'Limit',
    'Limits control the maximum amount of cpu/memory that a container may use independent of ' +
      'contention on the node.',
  ),
  ageColumn,
];

export const podTemplateDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Containers', containersText),
  column('Images', imagesText),
  column('Pod Labels', 'The labels for the pod template.'),
];

export const componentStatusDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Status of the component conditions'),
  column('Message', 'Message of the component conditions'),
  column('Error', 'Error of the component conditions'),
];
