import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import {
  defineKind,
  defineResource,
  defineReview,
  type KindDefinition,
  proxyVerbs,
  scale,
  status,
  withoutDeleteCollection,
} from '../define.ts';
import { bindPod } from '../subresources/bind-pod.ts';
import { Binding } from './binding-types.ts';
import { ComponentStatus } from './component-status-types.ts';
import { configMapRules } from './config-map-rules.ts';
import { ConfigMap, Secret } from './config-types.ts';
import { endpointsRules } from './endpoints-rules.ts';
import { Endpoints } from './endpoints-types.ts';
import { eventRules } from './event-rules.ts';
import { Event } from './event-types.ts';
import {
  eventSelectors,
  namespaceSelectors,
  nodeSelectors,
  podSelectors,
  replicationControllerSelectors,
  secretSelectors,
  serviceSelectors,
} from './field-selectors.ts';
import { limitRangeRules } from './limit-range-rules.ts';
import { namespaceRules } from './namespace-rules.ts';
import { Namespace } from './namespace-types.ts';
import { nodeRules } from './node-rules.ts';
import { Node } from './node-types.ts';
import { persistentVolumeClaimRules } from './persistent-volume-claim-rules.ts';
import { PersistentVolumeClaim } from './persistent-volume-claim-types.ts';
import { persistentVolumeRules } from './persistent-volume-rules.ts';
import { PersistentVolume } from './persistent-volume-types.ts';
import {
  NodeProxyOptions,
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  PodStatusResult,
  RangeAllocation,
  SerializedReference,
  ServiceProxyOptions,
} from './pod-option-types.ts';
import { podRules } from './pod-rules.ts';
import { podTemplateRules } from './pod-template-rules.ts';
import { Pod, PodTemplate } from './pod-types.ts';
import { LimitRange, ResourceQuota } from './quota-types.ts';
import { replicationControllerRules } from './replication-controller-rules.ts';
import { ReplicationController } from './replication-controller-types.ts';
import { resourceQuotaRules } from './resource-quota-rules.ts';
import { secretRules } from './secret-rules.ts';
import { serviceAccountRules } from './service-account-rules.ts';
import { ServiceAccount } from './service-account-types.ts';
import { serviceRules } from './service-rules.ts';
import { Service } from './service-types.ts';

/**
 * The core group: pods and the resources that they need to run. Its name is empty, and it is served under `/api/v1`.
 * Some key prefixes differ from the resource names because kube-apiserver kept its original ones.
 */
const v1 = { group: '', version: 'v1' };

export const coreResources: readonly ResourceDefinition[] = [
  defineReview(v1, 'bindings', { schema: Binding }),
  defineResource(v1, 'componentstatuses', {
    schema: ComponentStatus,
    scope: 'cluster',
    shortNames: ['cs'],
    verbs: ['get', 'list'],
    storage: 'virtual',
    deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  }),
  defineResource(v1, 'configmaps', {
    schema: ConfigMap,
    shortNames: ['cm'],
    ...configMapRules,
  }),
  defineResource(v1, 'endpoints', {
    createsOnUpdate: true,
    schema: Endpoints,
    shortNames: ['ep'],
    storage: { keyPrefix: 'services/endpoints' },
    ...endpointsRules,
  }),
  defineResource(v1, 'events', {
    createsOnUpdate: true,
    schema: Event,
    shortNames: ['ev'],
    name: 'pathSegment',
    fieldSelectors: eventSelectors,
    ...eventRules,
  }),
  defineResource(v1, 'limitranges', {
    createsOnUpdate: true,
    schema: LimitRange,
    shortNames: ['limits'],
    ...limitRangeRules,
  }),
  defineResource(v1, 'namespaces', {
    schema: Namespace,
    scope: 'cluster',
    shortNames: ['ns'],
    verbs: withoutDeleteCollection,
    subresources: [{ name: 'finalize', verbs: ['update'] }, status],
    name: 'dnsLabel',
    returnsDeleted: true,
    // In kube-apiserver, too.
    announcesDeleted: false,
    fieldSelectors: namespaceSelectors,
    ...namespaceRules,
  }),
  defineResource(v1, 'nodes', {
    schema: Node,
    scope: 'cluster',
    shortNames: ['no'],
    subresources: [{ name: 'proxy', kind: 'NodeProxyOptions', verbs: proxyVerbs, connects: true }, status],
    fieldSelectors: nodeSelectors,
    storage: { keyPrefix: 'minions' },
    ...nodeRules,
  }),
  defineResource(v1, 'persistentvolumeclaims', {
    schema: PersistentVolumeClaim,
    shortNames: ['pvc'],
    subresources: [status],
    returnsDeleted: true,
    ...persistentVolumeClaimRules,
  }),
  defineResource(v1, 'persistentvolumes', {
    schema: PersistentVolume,
    scope: 'cluster',
    shortNames: ['pv'],
    subresources: [status],
    returnsDeleted: true,
    ...persistentVolumeRules,
  }),
  defineResource(v1, 'pods', {
    schema: Pod,
    shortNames: ['po'],
    categories: ['all'],
    subresources: [
      { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'], connects: true },
      { name: 'binding', kind: 'Binding', verbs: ['create'], action: bindPod },
      { name: 'ephemeralcontainers' },
      { name: 'eviction', kind: 'Eviction', groupVersion: { group: 'policy', version: 'v1' }, verbs: ['create'] },
      { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'], connects: true },
      { name: 'log', verbs: ['get'], connects: true, optionsKind: 'PodLogOptions' },
      { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'], connects: true },
      { name: 'proxy', kind: 'PodProxyOptions', verbs: proxyVerbs, connects: true },
      { name: 'resize' },
      status,
    ],
    generation: true,
    returnsDeleted: true,
    fieldSelectors: podSelectors,
    ...podRules,
  }),
  defineResource(v1, 'podtemplates', {
    schema: PodTemplate,
    generation: true,
    returnsDeleted: true,
    ...podTemplateRules,
  }),
  defineResource(v1, 'replicationcontrollers', {
    schema: ReplicationController,
    shortNames: ['rc'],
    categories: ['all'],
    subresources: [scale, status],
    generation: true,
    fieldSelectors: replicationControllerSelectors,
    storage: { keyPrefix: 'controllers' },
    ...replicationControllerRules,
  }),
  defineResource(v1, 'resourcequotas', {
    schema: ResourceQuota,
    shortNames: ['quota'],
    subresources: [status],
    returnsDeleted: true,
    ...resourceQuotaRules,
  }),
  defineResource(v1, 'secrets', {
    schema: Secret,
    fieldSelectors: secretSelectors,
    ...secretRules,
  }),
  defineResource(v1, 'serviceaccounts', {
    schema: ServiceAccount,
    shortNames: ['sa'],
    subresources: [
      {
        name: 'token',
        kind: 'TokenRequest',
        groupVersion: { group: 'authentication.k8s.io', version: 'v1' },
        verbs: ['create'],
      },
    ],
    returnsDeleted: true,
    ...serviceAccountRules,
  }),
  defineResource(v1, 'services', {
    createsOnUpdate: true,
    schema: Service,
    shortNames: ['svc'],
    categories: ['all'],
    subresources: [{ name: 'proxy', kind: 'ServiceProxyOptions', verbs: proxyVerbs, connects: true }, status],
    name: 'dnsLabel',
    returnsDeleted: true,
    fieldSelectors: serviceSelectors,
    storage: { keyPrefix: 'services/specs' },
    ...serviceRules,
  }),
];

export const coreKinds: readonly KindDefinition[] = [
  NodeProxyOptions,
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  PodStatusResult,
  RangeAllocation,
  SerializedReference,
  ServiceProxyOptions,
].map((schema) => defineKind(v1, schema));
