import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

const apiGroup = 'API group of the object. Absent for the core group.';
const scopes =
  'Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity or ' +
  'VolumeAttributesClass';

/** Configuration, namespaces and their limits, events, references, and the rest of the core group. */
export const coreV1Configuration: TypeTexts = {
  ComponentCondition: {
    '': 'The health of a component.',
    type: 'Healthy.',
    status: 'True, False or Unknown.',
    message: 'What the component says about its health.',
    error: 'Why its health is not known.',
  },
  ComponentStatus: {
    '': 'The health of a component of the control plane. Deprecated.',
    conditions: 'What was found.',
  },
  ConfigMap: {
    '': 'Configuration data for pods, as keys and values. At most 1 MiB.',
    immutable: 'If true, the data can no longer be changed, nor this field. Default false.',
    data: 'Values as text. Keys consist of letters, digits, `-`, `_` and `.`.',
    binaryData: 'Values as base64. A key may be in `data` or here, not in both.',
  },
  Event: {
    '': 'A report of something that happened to an object.',
    involvedObject: 'The object that the event is about.',
    reason: 'Why it happened, as a short CamelCase word.',
    message: 'What happened, for people.',
    source: 'The component that reports it, in older events.',
    firstTimestamp: 'When it was first seen.',
    lastTimestamp: 'When it was last seen.',
    count: 'How often it has happened.',
    type: 'Normal or Warning.',
    eventTime: 'When it was first seen, with microseconds. In newer events.',
    series: 'Present if it happened more than once. In newer events.',
    action: 'What was done or failed regarding the object.',
    related: 'Another object that the event involves.',
    reportingComponent: 'Name of the controller that reports it, such as `kubernetes.io/kubelet`.',
    reportingInstance: 'ID of the instance that reports it, such as the name of its pod.',
  },
  EventSeries: {
    '': 'Repetitions of an event.',
    count: 'How often it has happened.',
    lastObservedTime: 'When it last happened.',
  },
  EventSource: {
    '': 'Who reports an event.',
    component: 'Name of the component.',
    host: 'Node of the component.',
  },
  LimitRange: {
    '': 'Limits and defaults of resources for single objects in a namespace.',
    spec: 'The limits.',
  },
  LimitRangeItem: {
    '': 'Limits for one type of thing. Each maps resource names to amounts.',
    type: 'To what it applies: Container, Pod or PersistentVolumeClaim.',
    max: 'The most that may be asked for.',
    min: 'The least that must be asked for.',
    default: 'Limit for containers that set none.',
    defaultRequest: 'Request for containers that set none.',
    maxLimitRequestRatio: 'The most that the limit may be as a multiple of the request.',
  },
  LimitRangeSpec: {
    '': 'The limits of a LimitRange.',
    limits: 'The limits. All of them apply.',
  },
  LocalObjectReference: {
    '': 'Names an object in the same namespace.',
    name: 'Name of the object.',
  },
  Namespace: {
    '': 'A space for names. Objects in it are deleted with it.',
    spec: 'Settings of the namespace.',
    status: 'State of the namespace.',
  },
  NamespaceCondition: {
    '': 'One aspect of the state of a namespace that is being deleted.',
    type: 'Name of the condition, such as NamespaceContentRemaining.',
    ...conditionTexts,
  },
  NamespaceSpec: {
    '': 'Settings of a namespace.',
    finalizers:
      'Components that must finish their cleanup before the namespace is removed. Changed through the `finalize` ' +
      'subresource only.',
  },
  NamespaceStatus: {
    '': 'State of a namespace.',
    phase: 'Active, or Terminating while it is being deleted.',
    conditions: 'What still hinders the deletion.',
  },
  ObjectFieldSelector: {
    '': 'A field of an object.',
    apiVersion: 'Version of the type that the path refers to. Default v1.',
    fieldPath: "The field, such as `metadata.name` or `metadata.labels['app']`.",
  },
  ObjectReference: {
    '': 'Names an object, or a part of it. Which fields matter depends on where it is used.',
    kind: 'Kind of the object.',
    namespace: 'Namespace of the object.',
    name: 'Name of the object.',
    uid: 'UID of the object.',
    apiVersion: 'API version of the object.',
    resourceVersion: 'Version of the object.',
    fieldPath: 'Part of the object, such as `spec.containers{app}`.',
  },
  RangeAllocation: {
    '': 'Which addresses or ports of a range are taken.',
    range: 'The range, as text.',
    data: 'One bit for each value of the range.',
  },
  ReplicationController: {
    '': 'Keeps a number of pods running. Deployments have replaced it.',
    spec: 'How many pods, and which.',
    status: 'How many there are.',
  },
  ReplicationControllerCondition: {
    '': 'One aspect of the state of a replication controller.',
    type: 'Name of the condition, such as ReplicaFailure.',
    ...conditionTexts,
  },
  ReplicationControllerSpec: {
    '': 'The pods that a replication controller keeps running.',
    replicas: 'How many pods. Default 1.',
    minReadySeconds: 'Seconds that a pod must be ready without interruption to count as available. Default 0.',
    selector: 'Labels of the pods that belong to it. Default: the labels of the template.',
    template: 'Template for new pods. Its labels must match the selector.',
  },
  ReplicationControllerStatus: {
    '': 'The pods that a replication controller has.',
    replicas: 'Number of pods.',
    fullyLabeledReplicas: 'Number of pods that have all labels of the template.',
    readyReplicas: 'Number of pods that are ready.',
    availableReplicas: 'Number of pods that have been ready for `minReadySeconds`.',
    observedGeneration: 'Generation that the controller has seen.',
    conditions: 'Conditions that describe the state.',
  },
  ResourceQuota: {
    '': 'Limits what all objects of a namespace may use together.',
    spec: 'The limits.',
    status: 'The limits in effect, and what is used.',
  },
  ResourceQuotaSpec: {
    '': 'The limits of a quota.',
    hard: 'Limit of each resource, such as `requests.cpu` or `count/secrets`.',
    scopes: `Count only objects in all of these scopes: ${scopes}.`,
    scopeSelector: 'Like `scopes`, with operators and values. Both must match.',
  },
  ResourceQuotaStatus: {
    '': 'What is used of a quota.',
    hard: 'The limits in effect.',
    used: 'How much of each resource is used.',
  },
  ScopeSelector: {
    '': 'Selects objects by scopes. All conditions must hold.',
    matchExpressions: 'The conditions.',
  },
  ScopedResourceSelectorRequirement: {
    '': 'A condition on a scope.',
    scopeName: `The scope: ${scopes}.`,
    operator: 'In, NotIn, Exists or DoesNotExist. Scopes without values take Exists only.',
    values: 'Values of the scope, such as names of priority classes. For In and NotIn.',
  },
  Secret: {
    '': 'Sensitive data, such as passwords and keys. At most 1 MiB.',
    immutable: 'If true, the data can no longer be changed, nor this field. Default false.',
    data: 'Values as base64. Keys consist of letters, digits, `-`, `_` and `.`.',
    stringData: 'Values as text, for convenience. They are added to `data` when written and never returned.',
    type:
      'What the secret is for, such as `kubernetes.io/tls`. Some types require certain keys. Default Opaque. It ' +
      'cannot be changed.',
  },
  SecretReference: {
    '': 'Names a secret in any namespace.',
    name: 'Name of the secret.',
    namespace: 'Namespace of the secret.',
  },
  SerializedReference: {
    '': 'A reference as an object of its own.',
    reference: 'The object that is referred to.',
  },
  ServiceAccount: {
    '': 'An identity for programs that run in pods.',
    secrets:
      'Secrets that pods of the account may use, if the account is annotated to enforce that. Not needed for tokens.',
    imagePullSecrets: 'Secrets for image registries, added to pods of the account that set none.',
    automountServiceAccountToken: 'Whether pods get a token of the account. A pod can override it. Default true.',
  },
  TypedLocalObjectReference: {
    '': 'Names an object of some type in the same namespace.',
    apiGroup,
    kind: 'Kind of the object.',
    name: 'Name of the object.',
  },
  TypedObjectReference: {
    '': 'Names an object of some type, perhaps in another namespace.',
    apiGroup,
    kind: 'Kind of the object.',
    name: 'Name of the object.',
    namespace: 'Namespace of the object. Another one than its own has to allow it with a ReferenceGrant.',
  },
};
