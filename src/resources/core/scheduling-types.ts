import { field, int32, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

// Scheduling constraints of a pod: node selectors, affinity, taints and topology spread.

export const Affinity = struct('core/v1.Affinity', () => ({
  nodeAffinity: field(1, NodeAffinity, { pointer: true }),
  podAffinity: field(2, PodAffinity, { pointer: true }),
  podAntiAffinity: field(3, PodAntiAffinity, { pointer: true }),
}));

export type Affinity = TypeOf<typeof Affinity>;

export const NodeAffinity = struct('core/v1.NodeAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: field(1, NodeSelector, { pointer: true }),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, listOf(PreferredSchedulingTerm), { list: 'atomic' }),
}));

export type NodeAffinity = TypeOf<typeof NodeAffinity>;

export const NodeSelector = struct(
  'core/v1.NodeSelector',
  () => ({
    nodeSelectorTerms: field(1, listOf(NodeSelectorTerm), { required: true, always: true, list: 'atomic' }),
  }),
  { atomic: true },
);

export type NodeSelector = TypeOf<typeof NodeSelector>;

export const NodeSelectorTerm = struct(
  'core/v1.NodeSelectorTerm',
  () => ({
    matchExpressions: field(1, listOf(NodeSelectorRequirement), { list: 'atomic' }),
    matchFields: field(2, listOf(NodeSelectorRequirement), { list: 'atomic' }),
  }),
  { atomic: true },
);

export type NodeSelectorTerm = TypeOf<typeof NodeSelectorTerm>;

export const NodeSelectorRequirement = struct('core/v1.NodeSelectorRequirement', () => ({
  key: field(1, string, { required: true, always: true }),
  operator: field(2, namedString('core/v1.NodeSelectorOperator'), {
    required: true,
    always: true,
    enum: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'],
  }),
  values: field(3, listOf(string), { list: 'atomic' }),
}));

export type NodeSelectorRequirement = TypeOf<typeof NodeSelectorRequirement>;

export const PreferredSchedulingTerm = struct('core/v1.PreferredSchedulingTerm', () => ({
  weight: field(1, int32, { required: true, always: true }),
  preference: field(2, NodeSelectorTerm, { required: true, always: true }),
}));

export const PodAffinity = struct('core/v1.PodAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: field(1, listOf(PodAffinityTerm), { list: 'atomic' }),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, listOf(WeightedPodAffinityTerm), { list: 'atomic' }),
}));

export type PodAffinity = TypeOf<typeof PodAffinity>;

export const PodAffinityTerm = struct('core/v1.PodAffinityTerm', () => ({
  labelSelector: field(1, LabelSelector, { pointer: true }),
  namespaces: field(2, listOf(string), { list: 'atomic' }),
  topologyKey: field(3, string, { required: true, always: true }),
  namespaceSelector: field(4, LabelSelector, { pointer: true }),
  matchLabelKeys: field(5, listOf(string), { list: 'atomic' }),
  mismatchLabelKeys: field(6, listOf(string), { list: 'atomic' }),
}));

export type PodAffinityTerm = TypeOf<typeof PodAffinityTerm>;

export const WeightedPodAffinityTerm = struct('core/v1.WeightedPodAffinityTerm', () => ({
  weight: field(1, int32, { required: true, always: true }),
  podAffinityTerm: field(2, PodAffinityTerm, { required: true, always: true }),
}));

export const PodAntiAffinity = struct('core/v1.PodAntiAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: field(1, listOf(PodAffinityTerm), { list: 'atomic' }),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, listOf(WeightedPodAffinityTerm), { list: 'atomic' }),
}));

export const TopologySelectorTerm = struct(
  'core/v1.TopologySelectorTerm',
  () => ({
    matchLabelExpressions: field(1, listOf(TopologySelectorLabelRequirement), { list: 'atomic' }),
  }),
  { atomic: true },
);

export type TopologySelectorTerm = TypeOf<typeof TopologySelectorTerm>;

export const TopologySelectorLabelRequirement = struct('core/v1.TopologySelectorLabelRequirement', () => ({
  key: field(1, string, { required: true, always: true }),
  values: field(2, listOf(string), { required: true, always: true, list: 'atomic' }),
}));

export type TopologySelectorLabelRequirement = TypeOf<typeof TopologySelectorLabelRequirement>;

export const Taint = struct('core/v1.Taint', () => ({
  key: field(1, string, { required: true, always: true }),
  value: field(2, string),
  effect: field(3, namedString('core/v1.TaintEffect'), {
    required: true,
    always: true,
    enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  }),
  timeAdded: field(4, time, { pointer: true }),
}));

export type Taint = TypeOf<typeof Taint>;

export const Toleration = struct('core/v1.Toleration', () => ({
  key: field(1, string),
  operator: field(2, namedString('core/v1.TolerationOperator'), { enum: ['Exists', 'Equal', 'Lt', 'Gt'] }),
  value: field(3, string),
  effect: field(4, namedString('core/v1.TaintEffect'), { enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] }),
  tolerationSeconds: field(5, int64, { pointer: true }),
}));

export type Toleration = TypeOf<typeof Toleration>;

export const TopologySpreadConstraint = struct('core/v1.TopologySpreadConstraint', () => ({
  maxSkew: field(1, int32, { required: true, always: true }),
  topologyKey: field(2, string, { required: true, always: true }),
  whenUnsatisfiable: field(3, namedString('core/v1.UnsatisfiableConstraintAction'), {
    required: true,
    always: true,
    enum: ['DoNotSchedule', 'ScheduleAnyway'],
  }),
  labelSelector: field(4, LabelSelector, { pointer: true }),
  minDomains: field(5, int32, { pointer: true }),
  nodeAffinityPolicy: field(6, namedString('core/v1.NodeInclusionPolicy'), {
    pointer: true,
    enum: ['Honor', 'Ignore'],
  }),
  nodeTaintsPolicy: field(7, namedString('core/v1.NodeInclusionPolicy'), { pointer: true, enum: ['Ignore', 'Honor'] }),
  matchLabelKeys: field(8, listOf(string), { list: 'atomic' }),
}));

export type TopologySpreadConstraint = TypeOf<typeof TopologySpreadConstraint>;
