import { bool, field, int32, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';

export const Job = struct('batch/v1.Job', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, JobSpec),
  status: field(3, JobStatus),
}));

export type Job = ObjectOf<typeof Job>;

export const JobSpec = struct('batch/v1.JobSpec', () => ({
  parallelism: field(1, int32, { pointer: true, defaulted: true }),
  completions: field(2, int32, { pointer: true, defaulted: true }),
  activeDeadlineSeconds: field(3, int64, { pointer: true }),
  podFailurePolicy: field(11, PodFailurePolicy, { pointer: true }),
  successPolicy: field(16, SuccessPolicy, { pointer: true }),
  backoffLimit: field(7, int32, { pointer: true, defaulted: true }),
  backoffLimitPerIndex: field(12, int32, { pointer: true }),
  maxFailedIndexes: field(13, int32, { pointer: true }),
  selector: field(4, LabelSelector, { pointer: true, defaulted: true }),
  manualSelector: field(5, bool, { pointer: true, defaulted: true }),
  template: field(6, PodTemplateSpec, { required: true, always: true }),
  ttlSecondsAfterFinished: field(8, int32, { pointer: true }),
  completionMode: field(9, namedString('batch/v1.CompletionMode'), {
    pointer: true,
    defaulted: true,
    enum: ['NonIndexed', 'Indexed'],
  }),
  suspend: field(10, bool, { pointer: true, defaulted: true }),
  podReplacementPolicy: field(14, namedString('batch/v1.PodReplacementPolicy'), {
    pointer: true,
    defaulted: true,
    enum: ['Failed', 'TerminatingOrFailed'],
  }),
  managedBy: field(15, string, { pointer: true }),
}));

export type JobSpec = TypeOf<typeof JobSpec>;

export const PodFailurePolicy = struct('batch/v1.PodFailurePolicy', () => ({
  rules: field(1, listOf(PodFailurePolicyRule), { required: true, always: true, list: 'atomic' }),
}));

export const PodFailurePolicyRule = struct('batch/v1.PodFailurePolicyRule', () => ({
  action: field(1, namedString('batch/v1.PodFailurePolicyAction'), {
    required: true,
    always: true,
    enum: ['Count', 'FailIndex', 'FailJob', 'Ignore'],
  }),
  onExitCodes: field(2, PodFailurePolicyOnExitCodesRequirement, { pointer: true }),
  onPodConditions: field(3, listOf(PodFailurePolicyOnPodConditionsPattern), { list: 'atomic' }),
}));

export type PodFailurePolicyRule = TypeOf<typeof PodFailurePolicyRule>;

export const PodFailurePolicyOnExitCodesRequirement = struct('batch/v1.PodFailurePolicyOnExitCodesRequirement', () => ({
  containerName: field(1, string, { pointer: true }),
  operator: field(2, namedString('batch/v1.PodFailurePolicyOnExitCodesOperator'), {
    required: true,
    always: true,
    enum: ['In', 'NotIn'],
  }),
  values: field(3, listOf(int32), { required: true, always: true, list: 'set' }),
}));

export type PodFailurePolicyOnExitCodesRequirement = TypeOf<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = struct('batch/v1.PodFailurePolicyOnPodConditionsPattern', () => ({
  type: field(1, namedString('core/v1.PodConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { always: true, defaulted: true }),
}));

export type PodFailurePolicyOnPodConditionsPattern = TypeOf<typeof PodFailurePolicyOnPodConditionsPattern>;

export const SuccessPolicy = struct('batch/v1.SuccessPolicy', () => ({
  rules: field(1, listOf(SuccessPolicyRule), { required: true, always: true, list: 'atomic' }),
}));

export const SuccessPolicyRule = struct('batch/v1.SuccessPolicyRule', () => ({
  succeededIndexes: field(1, string, { pointer: true }),
  succeededCount: field(2, int32, { pointer: true }),
}));

export type SuccessPolicyRule = TypeOf<typeof SuccessPolicyRule>;

export const JobStatus = struct('batch/v1.JobStatus', () => ({
  conditions: field(1, listOf(JobCondition), { list: 'atomic', patch: { strategies: ['merge'], mergeKey: 'type' } }),
  startTime: field(2, time, { pointer: true }),
  completionTime: field(3, time, { pointer: true }),
  active: field(4, int32),
  succeeded: field(5, int32),
  failed: field(6, int32),
  terminating: field(11, int32, { pointer: true }),
  completedIndexes: field(7, string),
  failedIndexes: field(10, string, { pointer: true }),
  uncountedTerminatedPods: field(8, UncountedTerminatedPods, { pointer: true }),
  ready: field(9, int32, { pointer: true }),
}));

export type JobStatus = TypeOf<typeof JobStatus>;

export const JobCondition = struct('batch/v1.JobCondition', () => ({
  type: field(1, namedString('batch/v1.JobConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastProbeTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
}));

export type JobCondition = TypeOf<typeof JobCondition>;

export const UncountedTerminatedPods = struct('batch/v1.UncountedTerminatedPods', () => ({
  succeeded: field(1, listOf(namedString('types.UID')), { list: 'set' }),
  failed: field(2, listOf(namedString('types.UID')), { list: 'set' }),
}));
