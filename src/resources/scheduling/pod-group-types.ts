import { field, int32, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const disruptionModes = ['Pod', 'PodGroup'];

export const PodGroup = struct('scheduling/v1alpha2.PodGroup', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PodGroupSpec, { required: true, always: true }),
  status: field(3, PodGroupStatus),
}));

export type PodGroup = ObjectOf<typeof PodGroup>;

export const PodGroupSpec = struct('scheduling/v1alpha2.PodGroupSpec', () => ({
  podGroupTemplateRef: field(1, PodGroupTemplateReference, { pointer: true, always: true }),
  schedulingPolicy: field(2, PodGroupSchedulingPolicy, { required: true, always: true }),
  schedulingConstraints: field(3, PodGroupSchedulingConstraints, { pointer: true }),
  resourceClaims: field(4, listOf(PodGroupResourceClaim), {
    list: ['name'],
    patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  }),
  disruptionMode: field(5, namedString('scheduling/v1alpha2.DisruptionMode'), {
    pointer: true,
    default: 'Pod',
    enum: disruptionModes,
  }),
  priorityClassName: field(6, string),
  priority: field(7, int32, { pointer: true }),
}));

export type PodGroupSpec = TypeOf<typeof PodGroupSpec>;

export const PodGroupTemplateReference = struct(
  'scheduling/v1alpha2.PodGroupTemplateReference',
  () => ({ workload: field(1, WorkloadPodGroupTemplateReference, { pointer: true, always: true }) }),
  { unions: [{ fields: { workload: 'Workload' } }] },
);

export const WorkloadPodGroupTemplateReference = struct(
  'scheduling/v1alpha2.WorkloadPodGroupTemplateReference',
  () => ({
    workloadName: field(1, string, { required: true, always: true }),
    podGroupTemplateName: field(2, string, { required: true, always: true }),
  }),
);

export const PodGroupStatus = struct('scheduling/v1alpha2.PodGroupStatus', () => ({
  conditions: field(1, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
  resourceClaimStatuses: field(2, listOf(PodGroupResourceClaimStatus), {
    list: ['name'],
    patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  }),
}));

export type PodGroupStatus = TypeOf<typeof PodGroupStatus>;

export const PodGroupResourceClaimStatus = struct('scheduling/v1alpha2.PodGroupResourceClaimStatus', () => ({
  name: field(1, string, { required: true, always: true }),
  resourceClaimName: field(2, string, { pointer: true }),
}));

export const PodGroupTemplate = struct('scheduling/v1alpha2.PodGroupTemplate', () => ({
  name: field(1, string, { required: true, always: true }),
  schedulingPolicy: field(2, PodGroupSchedulingPolicy, { required: true, always: true }),
  schedulingConstraints: field(3, PodGroupSchedulingConstraints, { pointer: true, always: true }),
  resourceClaims: field(4, listOf(PodGroupResourceClaim), {
    list: ['name'],
    patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  }),
  disruptionMode: field(5, namedString('scheduling/v1alpha2.DisruptionMode'), { pointer: true, enum: disruptionModes }),
  priorityClassName: field(6, string),
  priority: field(7, int32, { pointer: true }),
}));

export type PodGroupTemplate = TypeOf<typeof PodGroupTemplate>;

export const PodGroupSchedulingPolicy = struct(
  'scheduling/v1alpha2.PodGroupSchedulingPolicy',
  () => ({
    basic: field(1, BasicSchedulingPolicy, { pointer: true }),
    gang: field(2, GangSchedulingPolicy, { pointer: true }),
  }),
  { unions: [{ fields: { basic: 'Basic', gang: 'Gang' } }] },
);

export const BasicSchedulingPolicy = struct('scheduling/v1alpha2.BasicSchedulingPolicy', () => ({}));

export const GangSchedulingPolicy = struct('scheduling/v1alpha2.GangSchedulingPolicy', () => ({
  minCount: field(1, int32, { required: true, always: true }),
}));

export const PodGroupSchedulingConstraints = struct('scheduling/v1alpha2.PodGroupSchedulingConstraints', () => ({
  topology: field(1, listOf(TopologyConstraint), { list: 'atomic' }),
}));

export const TopologyConstraint = struct('scheduling/v1alpha2.TopologyConstraint', () => ({
  key: field(1, string, { required: true, always: true }),
}));

export const PodGroupResourceClaim = struct('scheduling/v1alpha2.PodGroupResourceClaim', () => ({
  name: field(1, string, { required: true, always: true }),
  resourceClaimName: field(2, string, { pointer: true }),
  resourceClaimTemplateName: field(3, string, { pointer: true }),
}));

export type PodGroupResourceClaim = TypeOf<typeof PodGroupResourceClaim>;
