import type { TypeTexts } from './type-texts.ts';

export const metaV1: TypeTexts = {
  APIGroup: {
    '': 'An API group and the versions in which it is served.',
    name: 'Name of the group, such as `apps`.',
    versions: 'The served versions, the preferred one first.',
    preferredVersion: 'The version that clients should use if they have no reason to use another one.',
    serverAddressByClientCIDRs: 'Addresses at which clients reach the server, by the network of the client.',
  },
  APIGroupList: {
    '': 'All API groups of the server except the core group.',
    groups: 'The groups, in the order in which clients search them.',
  },
  APIResource: {
    '': 'A resource or subresource of a group version, as discovery lists it.',
    name: 'Plural name as it stands in paths. A subresource follows after a slash, as in `pods/status`.',
    singularName: 'Name of one object, which clients accept beside the plural. Empty for subresources.',
    namespaced: 'Whether the objects are in namespaces.',
    group: 'Group of the kind if it is not the group of this list, as for a `scale` subresource.',
    version: 'Version of the kind if it is not the version of this list.',
    kind: 'Kind of the objects that are sent and received.',
    verbs: 'What can be done: create, delete, deletecollection, get, list, patch, update, watch.',
    shortNames: 'Abbreviations that command line clients accept.',
    categories: 'Groups of resources that clients can ask for together, such as `all`.',
    storageVersionHash:
      'Changes when the version changes in which the objects are stored. Compare it for equality only.',
  },
  APIResourceList: {
    '': 'The resources of one group version.',
    groupVersion: 'Group and version, such as `apps/v1`; `v1` for the core group.',
    resources: 'The resources and subresources.',
  },
  APIVersions: {
    '': 'The served versions of the core group.',
    versions: 'The versions, such as `v1`.',
    serverAddressByClientCIDRs: 'Addresses at which clients reach the server, by the network of the client.',
  },
  Condition: {
    '': 'One aspect of the state of an object, with the time of its last change.',
    type: 'Name of the aspect, unique among the conditions of the object.',
    status: 'Whether the condition holds: True, False or Unknown.',
    observedGeneration:
      'The `metadata.generation` that the condition was computed from. If it is lower, the condition is out of date.',
    lastTransitionTime: 'When `status` last changed.',
    reason: 'Why the condition has this status, as one CamelCase word for programs.',
    message: 'Details for people. May be empty.',
  },
  DeleteOptions: {
    '': 'How an object is to be deleted.',
    gracePeriodSeconds:
      'Seconds that the object has to shut down. Zero deletes at once; without it the default of the type applies.',
    preconditions: 'Delete only if the object still has this uid and version, else answer with a conflict.',
    orphanDependents: 'Deprecated form of `propagationPolicy`: true keeps the dependents. The two exclude each other.',
    propagationPolicy:
      'What happens to dependents: Orphan keeps them, Background deletes them afterwards, Foreground deletes them ' +
      'first.',
    dryRun: 'With the one value `All` the request is checked and answered but changes nothing.',
    ignoreStoreReadErrorWithClusterBreakingPotential:
      'Delete an object that can no longer be read from storage, without finalizers and without checks. Dangerous.',
  },
  Duration: { '': 'A length of time as text with units, such as `1h30m` or `500ms`.' },
  FieldSelectorRequirement: {
    '': 'A condition on a field of an object.',
    key: 'The field, such as `spec.nodeName`.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'Values to compare with. Required for In and NotIn, and empty for the others.',
  },
  FieldsV1: {
    '':
      'A set of field paths as a tree: `f:name` is a field, `k:{…}` a list item by its keys, `v:…` a list item by ' +
      'its value, `.` the thing itself.',
  },
  GroupResource: {
    '': 'Names a resource in any version.',
    group: 'API group; empty for the core group.',
    resource: 'Plural name of the resource.',
  },
  GroupVersionForDiscovery: {
    '': 'A version of an API group.',
    groupVersion: 'Group and version, such as `apps/v1`.',
    version: 'The version alone, such as `v1`.',
  },
  GroupVersionKind: {
    '': 'Names a kind.',
    group: 'API group; empty for the core group.',
    version: 'Version of the group.',
    kind: 'Name of the kind.',
  },
  GroupVersionResource: {
    '': 'Names a resource.',
    group: 'API group; empty for the core group.',
    version: 'Version of the group.',
    resource: 'Plural name of the resource.',
  },
  IntOrString: { '': 'A whole number, or text such as a percentage or the name of a port.' },
  LabelSelector: {
    '': 'Selects objects by their labels. All parts must hold. An empty selector selects everything.',
    matchLabels: 'Labels that must be present with exactly these values.',
    matchExpressions: 'Further conditions on labels.',
  },
  LabelSelectorRequirement: {
    '': 'A condition on one label.',
    key: 'Name of the label.',
    operator: 'In, NotIn, Exists or DoesNotExist. NotIn also selects objects without the label.',
    values: 'Values to compare with. At least one for In and NotIn, none for Exists and DoesNotExist.',
  },
  ListMeta: {
    '': 'Metadata of a list.',
    selfLink: 'No longer set.',
    resourceVersion: 'Version of the list as a whole. A watch that begins here continues without a gap.',
    continue: 'Token for the next part of the list. Absent in the last part.',
    remainingItemCount: 'How many objects follow this part. Absent in the last part and for lists with selectors.',
    shardInfo: 'Present when the list was restricted to a shard, and says to which.',
  },
  ManagedFieldsEntry: {
    '': 'Which fields of an object one manager has set, and how.',
    manager: 'Name of the client or component that manages the fields.',
    operation: 'Apply for server-side apply, Update for every other write.',
    apiVersion: 'The version of the type that the field paths refer to.',
    time: 'When the set of fields or one of their values last changed through this manager.',
    fieldsType: 'Form of the field set. Only FieldsV1 exists.',
    fieldsV1: 'The fields themselves.',
    subresource: 'The subresource through which they were written; empty for the object itself.',
  },
  MicroTime: { '': 'A time in RFC 3339 with microseconds, such as `2024-05-01T10:30:00.000000Z`.' },
  ObjectMeta: {
    '': 'Metadata that every stored object has.',
    name:
      'Name of the object, unique for its type within the namespace, or in the cluster if the type has no ' +
      'namespaces. It cannot be changed.',
    generateName: 'Used on create if `name` is empty: the server appends random characters to this prefix.',
    namespace: 'The namespace of the object. Empty for cluster-wide types. It cannot be changed.',
    selfLink: 'No longer set.',
    uid: 'Set by the server. Unlike a name it is never used again, so it tells apart objects that had the same name.',
    resourceVersion:
      'Changes with every write. An update that sends an old value is answered with a conflict. Compare it for ' +
      'equality.',
    generation:
      'Set by the server; grows with every change of the desired state. Types without a desired state may not have ' +
      'it.',
    creationTimestamp: 'When the object was created. Set by the server.',
    deletionTimestamp:
      'Set by the server when deletion is requested: the time after which the object may be gone. It cannot be unset.',
    deletionGracePeriodSeconds: 'Seconds given to shut down when deletion was requested. It can only become shorter.',
    labels: 'Keys and values to group and select objects by.',
    annotations:
      'Keys and values with arbitrary data for tools. They cannot be selected by; together they may have 256 KiB.',
    ownerReferences: 'Objects that this one depends on. When all of them are gone, the garbage collector deletes it.',
    finalizers:
      'Components that must finish their cleanup before the object is removed. A deleted object stays until the list ' +
      'is empty.',
    managedFields: 'Which manager has set which fields. Server-side apply maintains it and detects conflicts with it.',
  },
  OwnerReference: {
    '': 'Names an owner of an object, which is in the same namespace or cluster-wide.',
    apiVersion: 'API version of the owner.',
    kind: 'Kind of the owner.',
    name: 'Name of the owner.',
    uid: 'UID of the owner. An object of the same name with another UID is not the owner.',
    controller: 'True for the one owner that manages the object.',
    blockOwnerDeletion: 'With foreground deletion the owner stays until this object is gone.',
  },
  Patch: { '': 'A JSON patch, merge patch, strategic merge patch or apply configuration, by the content type.' },
  Preconditions: {
    '': 'What must hold for an operation to be done.',
    uid: 'The UID that the object must have.',
    resourceVersion: 'The resource version that the object must have.',
  },
  Quantity: {
    '':
      'A number with an optional unit: `m` for thousandths, `k`, `M`, `G`, … in thousands, `Ki`, `Mi`, `Gi`, … in ' +
      'steps of 1024. Examples: `500m`, `2`, `1.5Gi`.',
  },
  RawExtension: { '': 'An object of any type.' },
  ServerAddressByClientCIDR: {
    '': 'The address of the server for some clients.',
    clientCIDR: 'Network of the clients that should use the address.',
    serverAddress: 'Host, or host and port, of the server.',
  },
  ShardInfo: {
    '': 'The shard that a list is restricted to.',
    selector: 'The shard selector of the request.',
  },
  Status: {
    '': 'The outcome of a request that does not return an object; all errors have this form.',
    metadata: 'Metadata of the answer. Mostly empty.',
    status: 'Success or Failure.',
    message: 'What happened, for people.',
    reason:
      'Why it failed, as one word for programs, such as NotFound or Conflict. Each reason has one HTTP status code.',
    details: 'What the failure is about.',
    code: 'The HTTP status code of the answer.',
  },
  StatusCause: {
    '': 'One of several causes of a failure.',
    reason: 'Kind of the cause as one word, such as FieldValueInvalid.',
    message: 'The cause for people.',
    field: 'The field that caused it, as a path such as `spec.containers[0].image`.',
  },
  StatusDetails: {
    '': 'The object that a Status is about, and the causes of a failure.',
    name: 'Name of the object.',
    group: 'API group of the object.',
    kind: 'Kind or resource of the object.',
    uid: 'UID of the object.',
    causes: 'The individual causes, for instance one for each invalid field.',
    retryAfterSeconds: 'Seconds to wait before the request is repeated.',
  },
  WatchEvent: {
    '': 'A change that a watch reports.',
    type: 'What happened: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.',
    object: 'The object after the change. A deletion has its last state, and an error has a Status.',
  },
  Time: { '': 'A time in RFC 3339 with seconds, such as `2024-05-01T10:30:00Z`.' },
};
