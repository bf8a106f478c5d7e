import {
  bool,
  field,
  fieldsV1,
  int32,
  int64,
  listOf,
  mapOf,
  namedList,
  namedString,
  rawExtension,
  string,
  struct,
  time,
} from './builders.ts';
import type { TypeOf } from './type-of.ts';

// The types that all groups share: metadata, options, Status, selectors and the discovery documents.

export const ObjectMeta = struct('meta/v1.ObjectMeta', () => ({
  name: field(1, string),
  generateName: field(2, string),
  namespace: field(3, string),
  selfLink: field(4, string),
  uid: field(5, namedString('types.UID')),
  resourceVersion: field(6, string),
  generation: field(7, int64),
  creationTimestamp: field(8, time),
  deletionTimestamp: field(9, time, { pointer: true }),
  deletionGracePeriodSeconds: field(10, int64, { pointer: true }),
  labels: field(11, mapOf(string)),
  annotations: field(12, mapOf(string)),
  ownerReferences: field(13, listOf(OwnerReference), {
    list: ['uid'],
    patch: { strategies: ['merge'], mergeKey: 'uid' },
  }),
  finalizers: field(14, listOf(string), { list: 'set', patch: { strategies: ['merge'] } }),
  managedFields: field(17, listOf(ManagedFieldsEntry), { list: 'atomic' }),
}));

export type ObjectMeta = TypeOf<typeof ObjectMeta>;

export const OwnerReference = struct(
  'meta/v1.OwnerReference',
  () => ({
    apiVersion: field(5, string, { required: true, always: true }),
    kind: field(1, string, { required: true, always: true }),
    name: field(3, string, { required: true, always: true }),
    uid: field(4, namedString('types.UID'), { required: true, always: true }),
    controller: field(6, bool, { pointer: true }),
    blockOwnerDeletion: field(7, bool, { pointer: true }),
  }),
  { atomic: true },
);

export const ManagedFieldsEntry = struct('meta/v1.ManagedFieldsEntry', () => ({
  manager: field(1, string),
  operation: field(2, namedString('meta/v1.ManagedFieldsOperationType')),
  apiVersion: field(3, string),
  time: field(4, time, { pointer: true }),
  fieldsType: field(6, string),
  fieldsV1: field(7, fieldsV1, { pointer: true }),
  subresource: field(8, string),
}));

export const ListMeta = struct('meta/v1.ListMeta', () => ({
  selfLink: field(1, string),
  resourceVersion: field(2, string),
  continue: field(3, string),
  remainingItemCount: field(4, int64, { pointer: true }),
  shardInfo: field(5, ShardInfo, { pointer: true }),
}));

export const ShardInfo = struct('meta/v1.ShardInfo', () => ({
  selector: field(1, string, { required: true, always: true }),
}));

export const List = struct('meta/v1.List', () => ({
  metadata: field(1, ListMeta),
  items: field(2, listOf(rawExtension), { always: true }),
}));

export const PartialObjectMetadata = struct('meta/v1.PartialObjectMetadata', () => ({
  metadata: field(1, ObjectMeta),
}));

export const PartialObjectMetadataList = struct('meta/v1.PartialObjectMetadataList', () => ({
  metadata: field(1, ListMeta),
  items: field(2, listOf(PartialObjectMetadata), { always: true }),
}));

export const Status = struct('meta/v1.Status', () => ({
  metadata: field(1, ListMeta),
  status: field(2, string),
  message: field(3, string),
  reason: field(4, namedString('meta/v1.StatusReason')),
  details: field(5, StatusDetails, { pointer: true }),
  code: field(6, int32),
}));

export const StatusDetails = struct('meta/v1.StatusDetails', () => ({
  name: field(1, string),
  group: field(2, string),
  kind: field(3, string),
  uid: field(6, namedString('types.UID')),
  causes: field(4, listOf(StatusCause), { list: 'atomic' }),
  retryAfterSeconds: field(5, int32),
}));

export const StatusCause = struct('meta/v1.StatusCause', () => ({
  reason: field(1, namedString('meta/v1.CauseType')),
  message: field(2, string),
  field: field(3, string),
}));

export const WatchEvent = struct('meta/v1.WatchEvent', () => ({
  type: field(1, string, { required: true, always: true }),
  object: field(2, rawExtension, { required: true, always: true }),
}));

export const Condition = struct('meta/v1.Condition', () => ({
  type: field(1, string, { required: true, always: true }),
  status: field(2, namedString('meta/v1.ConditionStatus'), { required: true, always: true }),
  observedGeneration: field(3, int64),
  lastTransitionTime: field(4, time, { required: true, always: true }),
  reason: field(5, string, { required: true, always: true }),
  message: field(6, string, { required: true, always: true }),
}));

export type Condition = TypeOf<typeof Condition>;

export const LabelSelector = struct(
  'meta/v1.LabelSelector',
  () => ({
    matchLabels: field(1, mapOf(string)),
    matchExpressions: field(2, listOf(LabelSelectorRequirement), { list: 'atomic' }),
  }),
  { atomic: true },
);

export type LabelSelector = TypeOf<typeof LabelSelector>;

export const LabelSelectorRequirement = struct('meta/v1.LabelSelectorRequirement', () => ({
  key: field(1, string, { required: true, always: true }),
  operator: field(2, namedString('meta/v1.LabelSelectorOperator'), { required: true, always: true }),
  values: field(3, listOf(string), { list: 'atomic' }),
}));

export type LabelSelectorRequirement = TypeOf<typeof LabelSelectorRequirement>;

export const FieldSelectorRequirement = struct('meta/v1.FieldSelectorRequirement', () => ({
  key: field(1, string, { required: true, always: true }),
  operator: field(2, namedString('meta/v1.FieldSelectorOperator'), { required: true, always: true }),
  values: field(3, listOf(string), { list: 'atomic' }),
}));

export const GetOptions = struct('meta/v1.GetOptions', () => ({
  resourceVersion: field(1, string),
}));

export const ListOptions = struct('meta/v1.ListOptions', () => ({
  labelSelector: field(1, string),
  fieldSelector: field(2, string),
  watch: field(3, bool),
  allowWatchBookmarks: field(9, bool),
  resourceVersion: field(4, string),
  resourceVersionMatch: field(10, namedString('meta/v1.ResourceVersionMatch')),
  timeoutSeconds: field(5, int64, { pointer: true }),
  limit: field(7, int64),
  continue: field(8, string),
  sendInitialEvents: field(11, bool, { pointer: true }),
  shardSelector: field(15, string),
}));

export const CreateOptions = struct('meta/v1.CreateOptions', () => ({
  dryRun: field(1, listOf(string)),
  fieldManager: field(3, string),
  fieldValidation: field(4, string),
}));

export const UpdateOptions = struct('meta/v1.UpdateOptions', () => ({
  dryRun: field(1, listOf(string)),
  fieldManager: field(2, string),
  fieldValidation: field(3, string),
}));

export const PatchOptions = struct('meta/v1.PatchOptions', () => ({
  dryRun: field(1, listOf(string)),
  force: field(2, bool, { pointer: true }),
  fieldManager: field(3, string),
  fieldValidation: field(4, string),
}));

export const DeleteOptions = struct('meta/v1.DeleteOptions', () => ({
  gracePeriodSeconds: field(1, int64, { pointer: true }),
  preconditions: field(2, Preconditions, { pointer: true }),
  orphanDependents: field(3, bool, { pointer: true }),
  propagationPolicy: field(4, namedString('meta/v1.DeletionPropagation'), { pointer: true }),
  dryRun: field(5, listOf(string), { list: 'atomic' }),
  ignoreStoreReadErrorWithClusterBreakingPotential: field(6, bool, { pointer: true }),
}));

export const Preconditions = struct('meta/v1.Preconditions', () => ({
  uid: field(1, namedString('types.UID'), { pointer: true }),
  resourceVersion: field(2, string, { pointer: true }),
}));

export const TableOptions = struct('meta/v1.TableOptions', () => ({
  includeObject: field(1, string),
}));

export const Patch = struct('meta/v1.Patch', () => ({}));

export const GroupResource = struct('meta/v1.GroupResource', () => ({
  group: field(1, string, { required: true, always: true }),
  resource: field(2, string, { required: true, always: true }),
}));

export const GroupVersionKind = struct('meta/v1.GroupVersionKind', () => ({
  group: field(1, string, { always: true }),
  version: field(2, string, { always: true }),
  kind: field(3, string, { always: true }),
}));

export const GroupVersionResource = struct('meta/v1.GroupVersionResource', () => ({
  group: field(1, string, { always: true }),
  version: field(2, string, { always: true }),
  resource: field(3, string, { always: true }),
}));

export type GroupVersionResource = TypeOf<typeof GroupVersionResource>;

export const APIVersions = struct('meta/v1.APIVersions', () => ({
  versions: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  serverAddressByClientCIDRs: field(2, listOf(ServerAddressByClientCIDR), {
    required: true,
    always: true,
    list: 'atomic',
  }),
}));

export const ServerAddressByClientCIDR = struct('meta/v1.ServerAddressByClientCIDR', () => ({
  clientCIDR: field(1, string, { required: true, always: true }),
  serverAddress: field(2, string, { required: true, always: true }),
}));

export const APIGroupList = struct('meta/v1.APIGroupList', () => ({
  groups: field(1, listOf(APIGroup), { required: true, always: true, list: 'atomic' }),
}));

export const APIGroup = struct('meta/v1.APIGroup', () => ({
  name: field(1, string, { required: true, always: true }),
  versions: field(2, listOf(GroupVersionForDiscovery), { required: true, always: true, list: 'atomic' }),
  preferredVersion: field(3, GroupVersionForDiscovery),
  serverAddressByClientCIDRs: field(4, listOf(ServerAddressByClientCIDR), { list: 'atomic' }),
}));

export const GroupVersionForDiscovery = struct('meta/v1.GroupVersionForDiscovery', () => ({
  groupVersion: field(1, string, { required: true, always: true }),
  version: field(2, string, { required: true, always: true }),
}));

export const APIResourceList = struct('meta/v1.APIResourceList', () => ({
  groupVersion: field(1, string, { required: true, always: true }),
  resources: field(2, listOf(APIResource), { required: true, always: true, list: 'atomic' }),
}));

export const APIResource = struct('meta/v1.APIResource', () => ({
  name: field(1, string, { required: true, always: true }),
  singularName: field(6, string, { required: true, always: true }),
  namespaced: field(2, bool, { required: true, always: true }),
  group: field(8, string),
  version: field(9, string),
  kind: field(3, string, { required: true, always: true }),
  verbs: field(4, Verbs, { required: true, always: true }),
  shortNames: field(5, listOf(string), { list: 'atomic' }),
  categories: field(7, listOf(string), { list: 'atomic' }),
  storageVersionHash: field(10, string),
}));

export const Verbs = namedList('meta/v1.Verbs', string);

export const APIGroupDiscoveryList = struct('apidiscovery/v2.APIGroupDiscoveryList', () => ({
  metadata: field(1, ListMeta),
  items: field(2, listOf(APIGroupDiscovery), { always: true }),
}));

export const APIGroupDiscovery = struct('apidiscovery/v2.APIGroupDiscovery', () => ({
  metadata: field(1, ObjectMeta),
  versions: field(2, listOf(APIVersionDiscovery)),
}));

export const APIVersionDiscovery = struct('apidiscovery/v2.APIVersionDiscovery', () => ({
  version: field(1, string, { always: true }),
  resources: field(2, listOf(APIResourceDiscovery)),
  freshness: field(3, string),
}));

export const APIResourceDiscovery = struct('apidiscovery/v2.APIResourceDiscovery', () => ({
  resource: field(1, string, { always: true }),
  responseKind: field(2, GroupVersionKind, { pointer: true }),
  scope: field(3, string, { always: true }),
  singularResource: field(4, string, { always: true }),
  verbs: field(5, listOf(string), { always: true }),
  shortNames: field(6, listOf(string)),
  categories: field(7, listOf(string)),
  subresources: field(8, listOf(APISubresourceDiscovery)),
}));

export const APISubresourceDiscovery = struct('apidiscovery/v2.APISubresourceDiscovery', () => ({
  subresource: field(1, string, { always: true }),
  responseKind: field(2, GroupVersionKind, { pointer: true }),
  acceptedTypes: field(3, listOf(GroupVersionKind)),
  verbs: field(4, listOf(string), { always: true }),
}));
