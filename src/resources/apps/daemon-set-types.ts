import { field, int32, int64, intOrString, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';

export const DaemonSet = struct('apps/v1.DaemonSet', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, DaemonSetSpec),
  status: field(3, DaemonSetStatus),
}));

export const DaemonSetSpec = struct('apps/v1.DaemonSetSpec', () => ({
  selector: field(1, LabelSelector, { required: true, pointer: true, always: true }),
  template: field(2, PodTemplateSpec, { required: true, always: true }),
  updateStrategy: field(3, DaemonSetUpdateStrategy),
  minReadySeconds: field(4, int32),
  revisionHistoryLimit: field(6, int32, { pointer: true, defaulted: true }),
}));

export type DaemonSetSpec = TypeOf<typeof DaemonSetSpec>;

export const DaemonSetUpdateStrategy = struct('apps/v1.DaemonSetUpdateStrategy', () => ({
  type: field(1, namedString('apps/v1.DaemonSetUpdateStrategyType'), {
    enum: ['RollingUpdate', 'OnDelete'],
    defaulted: true,
  }),
  rollingUpdate: field(2, RollingUpdateDaemonSet, { pointer: true, defaulted: true }),
}));

export const RollingUpdateDaemonSet = struct('apps/v1.RollingUpdateDaemonSet', () => ({
  maxUnavailable: field(1, intOrString, { pointer: true, defaulted: true }),
  maxSurge: field(2, intOrString, { pointer: true, defaulted: true }),
}));

export const DaemonSetStatus = struct('apps/v1.DaemonSetStatus', () => ({
  currentNumberScheduled: field(1, int32, { required: true, always: true }),
  numberMisscheduled: field(2, int32, { required: true, always: true }),
  desiredNumberScheduled: field(3, int32, { required: true, always: true }),
  numberReady: field(4, int32, { required: true, always: true }),
  observedGeneration: field(5, int64),
  updatedNumberScheduled: field(6, int32),
  numberAvailable: field(7, int32),
  numberUnavailable: field(8, int32),
  collisionCount: field(9, int32, { pointer: true }),
  conditions: field(10, listOf(DaemonSetCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export const DaemonSetCondition = struct('apps/v1.DaemonSetCondition', () => ({
  type: field(1, namedString('apps/v1.DaemonSetConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));
