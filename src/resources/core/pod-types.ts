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
} from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { Container, EphemeralContainer } from './container-types.ts';
import { PodStatus } from './pod-status-types.ts';
import { LocalObjectReference } from './reference-types.ts';
import { ResourceRequirements } from './resource-requirement-types.ts';
import { Affinity, Toleration, TopologySpreadConstraint } from './scheduling-types.ts';
import { PodSecurityContext } from './security-context-types.ts';
import { Volume } from './volume-types.ts';

export const Pod = struct('core/v1.Pod', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PodSpec),
  status: field(3, PodStatus),
}));

export type Pod = ObjectOf<typeof Pod>;

export const PodSpec = struct('core/v1.PodSpec', () => ({
  volumes: field(1, listOf(Volume), {
    defaulted: true,
    list: ['name'],
    patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  }),
  initContainers: field(20, listOf(Container), { list: ['name'], patch: { strategies: ['merge'], mergeKey: 'name' } }),
  containers: field(2, listOf(Container), {
    required: true,
    always: true,
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  ephemeralContainers: field(34, listOf(EphemeralContainer), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  restartPolicy: field(3, namedString('core/v1.RestartPolicy'), {
    defaulted: true,
    enum: ['Always', 'OnFailure', 'Never'],
  }),
  terminationGracePeriodSeconds: field(4, int64, { pointer: true, defaulted: true }),
  activeDeadlineSeconds: field(5, int64, { pointer: true }),
  dnsPolicy: field(6, namedString('core/v1.DNSPolicy'), {
    defaulted: true,
    enum: ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
  }),
  nodeSelector: field(7, mapOf(string), { map: 'atomic', defaulted: true }),
  serviceAccountName: field(8, string, { defaulted: true }),
  serviceAccount: field(9, string, { defaulted: true }),
  automountServiceAccountToken: field(21, bool, { pointer: true }),
  nodeName: field(10, string),
  hostNetwork: field(11, bool),
  hostPID: field(12, bool),
  hostIPC: field(13, bool),
  shareProcessNamespace: field(27, bool, { pointer: true }),
  securityContext: field(14, PodSecurityContext, { pointer: true, defaulted: true }),
  imagePullSecrets: field(15, listOf(LocalObjectReference), {
    defaulted: true,
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  hostname: field(16, string),
  subdomain: field(17, string),
  affinity: field(18, Affinity, { pointer: true }),
  schedulerName: field(19, string, { defaulted: true }),
  tolerations: field(22, listOf(Toleration), { list: 'atomic', defaulted: true }),
  hostAliases: field(23, listOf(HostAlias), { list: ['ip'], patch: { strategies: ['merge'], mergeKey: 'ip' } }),
  priorityClassName: field(24, string, { defaulted: true }),
  priority: field(25, int32, { pointer: true, defaulted: true }),
  dnsConfig: field(26, PodDNSConfig, { pointer: true }),
  readinessGates: field(28, listOf(PodReadinessGate), { list: 'atomic' }),
  runtimeClassName: field(29, string, { pointer: true }),
  enableServiceLinks: field(30, bool, { pointer: true, defaulted: true }),
  preemptionPolicy: field(31, namedString('core/v1.PreemptionPolicy'), {
    pointer: true,
    defaulted: true,
    enum: ['PreemptLowerPriority', 'Never'],
  }),
  overhead: field(32, mapOf(quantity), { defaulted: true }),
  topologySpreadConstraints: field(33, listOf(TopologySpreadConstraint), {
    list: ['topologyKey', 'whenUnsatisfiable'],
    patch: { strategies: ['merge'], mergeKey: 'topologyKey' },
  }),
  setHostnameAsFQDN: field(35, bool, { pointer: true }),
  os: field(36, PodOS, { pointer: true }),
  hostUsers: field(37, bool, { pointer: true }),
  schedulingGates: field(38, listOf(PodSchedulingGate), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  resourceClaims: field(39, listOf(PodResourceClaim), {
    list: ['name'],
    patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  }),
  resources: field(40, ResourceRequirements, { pointer: true }),
  hostnameOverride: field(41, string, { pointer: true }),
  schedulingGroup: field(43, PodSchedulingGroup, { pointer: true }),
}));

export type PodSpec = TypeOf<typeof PodSpec>;

export const HostAlias = struct('core/v1.HostAlias', () => ({
  ip: field(1, string, { required: true, always: true }),
  hostnames: field(2, listOf(string), { list: 'atomic' }),
}));

export const PodDNSConfig = struct('core/v1.PodDNSConfig', () => ({
  nameservers: field(1, listOf(string), { list: 'atomic' }),
  searches: field(2, listOf(string), { list: 'atomic' }),
  options: field(3, listOf(PodDNSConfigOption), { list: 'atomic' }),
}));

export type PodDNSConfig = TypeOf<typeof PodDNSConfig>;

export const PodDNSConfigOption = struct('core/v1.PodDNSConfigOption', () => ({
  name: field(1, string),
  value: field(2, string, { pointer: true }),
}));

export const PodReadinessGate = struct('core/v1.PodReadinessGate', () => ({
  conditionType: field(1, namedString('core/v1.PodConditionType'), { required: true, always: true }),
}));

export const PodOS = struct('core/v1.PodOS', () => ({
  name: field(1, namedString('core/v1.OSName'), { required: true, always: true }),
}));

export const PodSchedulingGate = struct('core/v1.PodSchedulingGate', () => ({
  name: field(1, string, { required: true, always: true }),
}));

export const PodResourceClaim = struct('core/v1.PodResourceClaim', () => ({
  name: field(1, string, { required: true, always: true }),
  resourceClaimName: field(3, string, { pointer: true }),
  resourceClaimTemplateName: field(4, string, { pointer: true }),
}));

export type PodResourceClaim = TypeOf<typeof PodResourceClaim>;

export const PodSchedulingGroup = struct(
  'core/v1.PodSchedulingGroup',
  () => ({
    podGroupName: field(1, string, { pointer: true }),
  }),
  { unions: [{ fields: { podGroupName: 'PodGroupName' } }] },
);

export const PodTemplate = struct('core/v1.PodTemplate', () => ({
  metadata: field(1, ObjectMeta),
  template: field(2, PodTemplateSpec),
}));

export const PodTemplateSpec = struct('core/v1.PodTemplateSpec', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PodSpec),
}));

export type PodTemplateSpec = TypeOf<typeof PodTemplateSpec>;
