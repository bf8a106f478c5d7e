import { field, int32, int64, intOrString, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { PersistentVolumeClaim } from '../core/persistent-volume-claim-types.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';

export const StatefulSet = struct('apps/v1.StatefulSet', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, StatefulSetSpec),
  status: field(3, StatefulSetStatus),
}));

export const StatefulSetSpec = struct('apps/v1.StatefulSetSpec', () => ({
  replicas: field(1, int32, { pointer: true, defaulted: true }),
  selector: field(2, LabelSelector, { required: true, pointer: true, always: true }),
  template: field(3, PodTemplateSpec, { required: true, always: true }),
  volumeClaimTemplates: field(4, listOf(PersistentVolumeClaim), { list: 'atomic' }),
  serviceName: field(5, string, { always: true }),
  podManagementPolicy: field(6, namedString('apps/v1.PodManagementPolicyType'), {
    enum: ['OrderedReady', 'Parallel'],
    defaulted: true,
  }),
  updateStrategy: field(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: field(8, int32, { pointer: true, defaulted: true }),
  minReadySeconds: field(9, int32),
  persistentVolumeClaimRetentionPolicy: field(10, StatefulSetPersistentVolumeClaimRetentionPolicy, {
    pointer: true,
    defaulted: true,
  }),
  ordinals: field(11, StatefulSetOrdinals, { pointer: true }),
}));

export type StatefulSetSpec = TypeOf<typeof StatefulSetSpec>;

export const StatefulSetUpdateStrategy = struct('apps/v1.StatefulSetUpdateStrategy', () => ({
  type: field(1, namedString('apps/v1.StatefulSetUpdateStrategyType'), {
    enum: ['RollingUpdate', 'OnDelete'],
    defaulted: true,
  }),
  rollingUpdate: field(2, RollingUpdateStatefulSetStrategy, { pointer: true, defaulted: true }),
}));

export const RollingUpdateStatefulSetStrategy = struct('apps/v1.RollingUpdateStatefulSetStrategy', () => ({
  partition: field(1, int32, { pointer: true, defaulted: true }),
  maxUnavailable: field(2, intOrString, { pointer: true }),
}));

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  () => ({
    whenDeleted: field(1, namedString('apps/v1.PersistentVolumeClaimRetentionPolicyType'), { defaulted: true }),
    whenScaled: field(2, namedString('apps/v1.PersistentVolumeClaimRetentionPolicyType'), { defaulted: true }),
  }),
);

export const StatefulSetOrdinals = struct('apps/v1.StatefulSetOrdinals', () => ({
  start: field(1, int32, { always: true }),
}));

export const StatefulSetStatus = struct('apps/v1.StatefulSetStatus', () => ({
  observedGeneration: field(1, int64),
  replicas: field(2, int32, { required: true, always: true }),
  readyReplicas: field(3, int32),
  currentReplicas: field(4, int32),
  updatedReplicas: field(5, int32),
  currentRevision: field(6, string),
  updateRevision: field(7, string),
  collisionCount: field(9, int32, { pointer: true }),
  conditions: field(10, listOf(StatefulSetCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
  availableReplicas: field(11, int32, { always: true }),
}));

export const StatefulSetCondition = struct('apps/v1.StatefulSetCondition', () => ({
  type: field(1, namedString('apps/v1.StatefulSetConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));
