import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

/** Pods, their status, and the options of their subresources. */
export const coreV1Pods: TypeTexts = {
  Binding: {
    '': 'Assigns a pod to a node. Schedulers create it; it is not kept.',
    target: 'The node, as a reference of kind Node with its name.',
  },
  ContainerExtendedResourceRequest: {
    '': 'Connects an extended resource of a container with the request of the claim that satisfies it.',
    containerName: 'The container that asks for the resource.',
    resourceName: 'The extended resource, such as `example.com/gpu`.',
    requestName: 'The request in the claim that was made for it.',
  },
  HostAlias: {
    '': 'A line of the hosts file of the pod.',
    ip: 'The address.',
    hostnames: 'Hostnames that resolve to the address.',
  },
  HostIP: {
    '': 'An address of the node of a pod.',
    ip: 'The IPv4 or IPv6 address.',
  },
  NodeAllocatableResourceClaimStatus: {
    '': 'Node resources, such as CPU or memory, that a pod gets through a resource claim.',
    resourceClaimName: 'The claim, in the namespace of the pod.',
    containers: 'Names of the containers that use the claim.',
    resources: 'Amount of each resource that the claim takes from the node.',
  },
  Pod: {
    '': 'One or more containers that run together on a node and share network and volumes.',
    spec: 'What should run. Most of it cannot be changed after creation.',
    status: 'What is running, as the kubelet of the node last reported it.',
  },
  PodAttachOptions: {
    '': 'Options of a connection to a running container.',
    stdin: 'Connect the input of the container. Default false.',
    stdout: 'Connect the output of the container. Default true.',
    stderr: 'Connect the error output of the container. Default true.',
    tty: 'The container has a terminal; its error output then comes with the output.',
    container: 'The container. It may be left out if the pod has only one.',
  },
  PodCondition: {
    '': 'One aspect of the state of a pod.',
    type: 'Name of the condition, such as PodScheduled, Initialized, ContainersReady or Ready.',
    observedGeneration: 'Generation of the pod that the condition was computed from.',
    ...conditionTexts,
    lastProbeTime: 'When the condition was last checked.',
  },
  PodDNSConfig: {
    '': 'Name resolution settings of a pod, added to those of its DNS policy.',
    nameservers: 'Addresses of name servers, put before the ones of the policy. Duplicates are removed. At most 3.',
    searches: 'Search domains, put after the ones of the policy. Duplicates are removed. At most 32.',
    options: 'Resolver options. One of the same name overrides that of the policy.',
  },
  PodDNSConfigOption: {
    '': 'An option of the resolver.',
    name: 'Name of the option, such as `ndots`.',
    value: 'Its value, for options that have one.',
  },
  PodExecOptions: {
    '': 'Options of a command that is executed in a running container.',
    stdin: 'Connect the input of the command. Default false.',
    stdout: 'Connect the output of the command.',
    stderr: 'Connect the error output of the command.',
    tty: 'Give the command a terminal. Default false.',
    container: 'The container. It may be left out if the pod has only one.',
    command: 'The command and its arguments. No shell interprets them.',
  },
  PodExtendedResourceClaimStatus: {
    '': 'The claim that the scheduler made for the extended resources of a pod.',
    requestMappings: 'Which request of the claim serves which container and resource.',
    resourceClaimName: 'Name of the claim, in the namespace of the pod.',
  },
  PodIP: {
    '': 'An address of a pod.',
    ip: 'The IPv4 or IPv6 address.',
  },
  PodLogOptions: {
    '': 'Selects a part of a container log and its format.',
    container: 'The container. It may be left out if the pod has only one.',
    follow: 'Keep the connection open and send new lines as they come.',
    previous: 'The log of the container instance before its last restart.',
    sinceSeconds: 'Only lines newer than this many seconds. Excludes `sinceTime`.',
    sinceTime: 'Only lines after this time. Excludes `sinceSeconds`.',
    timestamps: 'Begin each line with its time in RFC 3339.',
    tailLines: 'Number of lines to send from the end of the log. Zero sends none of the existing lines.',
    limitBytes: 'Stop after this many bytes, even within a line.',
    insecureSkipTLSVerifyBackend:
      'Do not verify the certificate of the kubelet. The log may then come from an impostor.',
    stream: 'Output to send: All, Stdout or Stderr. Default All. Excludes `tailLines` unless it is All.',
  },
  PodOS: {
    '': 'The operating system that a pod is made for.',
    name: 'The name: linux or windows. Settings of the other system must not be set then.',
  },
  PodPortForwardOptions: {
    '': 'Options of a connection that forwards ports to a pod.',
    ports: 'Ports of the pod. Required for WebSocket connections.',
  },
  PodProxyOptions: {
    '': 'Options of a request that is passed on to a pod.',
    path: 'Path and query of the request to the pod.',
  },
  PodReadinessGate: {
    '': 'A condition that must also be true for the pod to be ready.',
    conditionType: 'Type of the condition in the status of the pod. Something outside of the kubelet sets it.',
  },
  PodResourceClaim: {
    '': 'Makes a resource claim available to the containers of a pod. Exactly one of the two sources is set.',
    name: 'Name by which containers refer to it, unique in the pod.',
    resourceClaimName: 'An existing ResourceClaim in the namespace of the pod.',
    resourceClaimTemplateName:
      'A ResourceClaimTemplate in the namespace of the pod. A claim is created from it for this pod and deleted with ' +
      'the pod.',
  },
  PodResourceClaimStatus: {
    '': 'The claim that was created from a template for a pod.',
    name: 'Name of the entry in `spec.resourceClaims`.',
    resourceClaimName: 'Name of the claim. Absent if none was needed.',
  },
  PodSchedulingGate: {
    '': 'Something that keeps a pod from being scheduled.',
    name: 'Name of the gate, unique in the pod.',
  },
  PodSchedulingGroup: {
    '': 'The group of pods that a pod is scheduled with.',
    podGroupName: 'Name of a PodGroup in the namespace of the pod.',
  },
  PodSpec: {
    '': 'What a pod consists of and how it should run.',
    volumes: 'Volumes that the containers can mount.',
    initContainers:
      'Containers that run one after the other before the others start; each must succeed. With restart policy ' +
      'Always they keep running as sidecars.',
    containers: 'The containers of the pod, at least one. They cannot be added or removed later.',
    ephemeralContainers:
      'Temporary containers for debugging, added to a running pod through the `ephemeralcontainers` subresource.',
    restartPolicy: 'When ended containers are started again: Always, OnFailure or Never. Default Always.',
    terminationGracePeriodSeconds:
      'Seconds the pod has to stop after a deletion request, hooks included. Default 30. Zero kills at once.',
    activeDeadlineSeconds: 'Seconds from the start after which the pod is stopped and marked as failed.',
    dnsPolicy:
      'Where the pod resolves names: ClusterFirst (default), ClusterFirstWithHostNet, Default (like the node) or ' +
      'None (only `dnsConfig`).',
    nodeSelector: 'Labels that the node must have.',
    serviceAccountName: 'The service account that the pod runs as. Default `default`.',
    serviceAccount: 'Deprecated name of `serviceAccountName`. Both have the same value.',
    automountServiceAccountToken:
      'Whether a token of the service account is mounted into the containers. Overrides the setting of the account.',
    nodeName:
      'The node that runs the pod. Set by the scheduler through a binding; a pod created with it is not scheduled.',
    hostNetwork: 'Use the network of the node. Ports of the containers are then ports of the node. Default false.',
    hostPID: 'Share the process IDs of the node. Default false.',
    hostIPC: 'Share the interprocess communication of the node. Default false.',
    shareProcessNamespace: 'Let the containers see the processes of each other. Excludes `hostPID`. Default false.',
    securityContext:
      'User, groups and other security settings of all containers. A container can override most of them.',
    imagePullSecrets: 'Secrets in the namespace of the pod with credentials for image registries.',
    hostname: 'Hostname of the pod. Default: its name.',
    subdomain: 'Makes the full name of the pod `<hostname>.<subdomain>.<namespace>.svc.<cluster domain>`.',
    affinity: 'Rules about the nodes and about other pods that this one should or must be near to, or far from.',
    schedulerName: 'The scheduler that handles the pod. Default `default-scheduler`.',
    tolerations: 'Taints of nodes that the pod accepts.',
    hostAliases: 'Lines that are added to the hosts file of the pod.',
    priorityClassName:
      'The PriorityClass of the pod. Without it the default class applies, if there is one, or priority zero.',
    priority:
      'The priority, which admission takes from the class. A higher value is scheduled first and may displace lower ' +
      'ones.',
    dnsConfig: 'Name resolution settings beside those of `dnsPolicy`.',
    readinessGates: 'Further conditions that must be true before the pod is ready.',
    runtimeClassName: 'The RuntimeClass whose handler runs the pod. Without it the default handler of the node does.',
    enableServiceLinks:
      'Give the containers environment variables with the addresses of services in the namespace. Default true.',
    preemptionPolicy:
      'PreemptLowerPriority lets the pod displace pods of lower priority, Never does not. Default ' +
      'PreemptLowerPriority.',
    overhead: 'Resources that running the pod costs beside its containers. Admission takes it from the RuntimeClass.',
    topologySpreadConstraints:
      'How the pods of a workload are to be spread over zones, nodes or other domains. All constraints apply.',
    setHostnameAsFQDN: 'Use the full name of the pod as hostname instead of the short one. Default false.',
    os: 'The operating system of the containers. The kubelet of a node with another one refuses the pod.',
    hostUsers: 'False runs the pod in a user namespace, in which root is not root of the node. Default true.',
    schedulingGates:
      'While there are any, the pod is not scheduled. They can be set on create only, and then only removed.',
    resourceClaims: 'Claims of devices that must be allocated before the pod starts. Containers refer to them by name.',
    resources: 'CPU, memory and huge pages for the pod as a whole, which its containers share.',
    hostnameOverride:
      'Hostname inside of the pod, without effect on DNS. Excludes `setHostnameAsFQDN` and `hostNetwork`.',
    schedulingGroup: 'The group of pods that this one is scheduled together with.',
  },
  PodStatus: {
    '': 'The state of a pod as last reported. It may lag behind the truth.',
    observedGeneration: 'Generation of the pod that the status refers to.',
    phase:
      'Summary: Pending (not all containers started yet), Running, Succeeded (all ended well), Failed (all ended, at ' +
      'least one badly) or Unknown.',
    conditions: 'Conditions that describe the state, such as whether the pod is scheduled and ready.',
    message: 'Why the pod is in this state, for people.',
    reason: 'Why the pod is in this state, as one word such as Evicted.',
    nominatedNodeName:
      'Node that the scheduler intends for the pod, for instance while others are displaced there. The pod may still ' +
      'go elsewhere.',
    hostIP: 'Address of the node. Absent until the pod has started there.',
    hostIPs: 'All addresses of the node, at most one per IP family. The first one equals `hostIP`.',
    podIP: 'Address of the pod in the cluster. Empty until it has one.',
    podIPs: 'All addresses of the pod, at most one per IP family. The first one equals `podIP`.',
    startTime: 'When the kubelet took the pod on, before it pulled the images.',
    initContainerStatuses: 'State of each init container.',
    containerStatuses: 'State of each container.',
    qosClass:
      'Guaranteed, Burstable or BestEffort, by the requests and limits. Decides who is evicted first when a node is ' +
      'short of resources.',
    ephemeralContainerStatuses: 'State of each ephemeral container.',
    resize:
      'Deprecated; the conditions PodResizePending and PodResizeInProgress report the progress of a change of ' +
      'resources.',
    resourceClaimStatuses: 'Claims that were created from templates.',
    extendedResourceClaimStatus: 'The claim that stands for extended resources of the pod.',
    allocatedResources: 'Requests at the level of the pod that the node has granted.',
    resources: 'Requests and limits at the level of the pod that are in effect.',
    nodeAllocatableResourceClaimStatuses: 'Node resources that the pod gets through claims.',
  },
  PodStatusResult: {
    '': 'The status of a pod alone.',
    status: 'The status.',
  },
  PodTemplate: {
    '': 'A template for pods, kept as an object of its own.',
    template: 'The metadata and spec of the pods.',
  },
  PodTemplateSpec: {
    '': 'Template for the pods of a controller.',
    metadata: 'Labels and annotations of the pods. The labels must match the selector of the controller.',
    spec: 'The spec of the pods.',
  },
};
