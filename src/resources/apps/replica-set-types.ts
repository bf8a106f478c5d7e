import { field, int32, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';

export const ReplicaSet = struct('apps/v1.ReplicaSet', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ReplicaSetSpec),
  status: field(3, ReplicaSetStatus),
}));

export const ReplicaSetSpec = struct('apps/v1.ReplicaSetSpec', () => ({
  replicas: field(1, int32, { pointer: true, defaulted: true }),
  minReadySeconds: field(4, int32),
  selector: field(2, LabelSelector, { required: true, pointer: true, always: true }),
  template: field(3, PodTemplateSpec),
}));

export const ReplicaSetStatus = struct('apps/v1.ReplicaSetStatus', () => ({
  replicas: field(1, int32, { required: true, always: true }),
  fullyLabeledReplicas: field(2, int32),
  readyReplicas: field(4, int32),
  availableReplicas: field(5, int32),
  terminatingReplicas: field(7, int32, { pointer: true }),
  observedGeneration: field(3, int64),
  conditions: field(6, listOf(ReplicaSetCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export const ReplicaSetCondition = struct('apps/v1.ReplicaSetCondition', () => ({
  type: field(1, namedString('apps/v1.ReplicaSetConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));
