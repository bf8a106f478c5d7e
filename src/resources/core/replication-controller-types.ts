import { field, int32, int64, listOf, mapOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { PodTemplateSpec } from './pod-types.ts';

export const ReplicationController = struct('core/v1.ReplicationController', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ReplicationControllerSpec),
  status: field(3, ReplicationControllerStatus),
}));

export const ReplicationControllerSpec = struct('core/v1.ReplicationControllerSpec', () => ({
  replicas: field(1, int32, { pointer: true, default: 1 }),
  minReadySeconds: field(4, int32),
  selector: field(2, mapOf(string), { map: 'atomic', defaulted: true }),
  template: field(3, PodTemplateSpec, { pointer: true }),
}));

export type ReplicationControllerSpec = TypeOf<typeof ReplicationControllerSpec>;

export const ReplicationControllerStatus = struct('core/v1.ReplicationControllerStatus', () => ({
  replicas: field(1, int32, { required: true, always: true }),
  fullyLabeledReplicas: field(2, int32),
  readyReplicas: field(4, int32),
  availableReplicas: field(5, int32),
  observedGeneration: field(3, int64),
  conditions: field(6, listOf(ReplicationControllerCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export const ReplicationControllerCondition = struct('core/v1.ReplicationControllerCondition', () => ({
  type: field(1, namedString('core/v1.ReplicationControllerConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));
