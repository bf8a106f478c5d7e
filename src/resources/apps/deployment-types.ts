import {
  bool,
  field,
  int32,
  int64,
  intOrString,
  listOf,
  namedString,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { PodTemplateSpec } from '../core/pod-types.ts';

export const Deployment = struct('apps/v1.Deployment', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, DeploymentSpec),
  status: field(3, DeploymentStatus),
}));

export const DeploymentSpec = struct('apps/v1.DeploymentSpec', () => ({
  replicas: field(1, int32, { pointer: true, defaulted: true }),
  selector: field(2, LabelSelector, { required: true, pointer: true, always: true }),
  template: field(3, PodTemplateSpec, { required: true, always: true }),
  strategy: field(4, DeploymentStrategy, { patch: { strategies: ['retainKeys'] } }),
  minReadySeconds: field(5, int32),
  revisionHistoryLimit: field(6, int32, { pointer: true, defaulted: true }),
  paused: field(7, bool),
  progressDeadlineSeconds: field(9, int32, { pointer: true, defaulted: true }),
}));

export type DeploymentSpec = TypeOf<typeof DeploymentSpec>;

export const DeploymentStrategy = struct('apps/v1.DeploymentStrategy', () => ({
  type: field(1, namedString('apps/v1.DeploymentStrategyType'), {
    enum: ['Recreate', 'RollingUpdate'],
    defaulted: true,
  }),
  rollingUpdate: field(2, RollingUpdateDeployment, { pointer: true, defaulted: true }),
}));

export const RollingUpdateDeployment = struct('apps/v1.RollingUpdateDeployment', () => ({
  maxUnavailable: field(1, intOrString, { pointer: true, defaulted: true }),
  maxSurge: field(2, intOrString, { pointer: true, defaulted: true }),
}));

export type RollingUpdateDeployment = TypeOf<typeof RollingUpdateDeployment>;

export const DeploymentStatus = struct('apps/v1.DeploymentStatus', () => ({
  observedGeneration: field(1, int64),
  replicas: field(2, int32),
  updatedReplicas: field(3, int32),
  readyReplicas: field(7, int32),
  availableReplicas: field(4, int32),
  unavailableReplicas: field(5, int32),
  terminatingReplicas: field(9, int32, { pointer: true }),
  conditions: field(6, listOf(DeploymentCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
  collisionCount: field(8, int32, { pointer: true }),
}));

export type DeploymentStatus = TypeOf<typeof DeploymentStatus>;

export const DeploymentCondition = struct('apps/v1.DeploymentCondition', () => ({
  type: field(1, namedString('apps/v1.DeploymentConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastUpdateTime: field(6, time),
  lastTransitionTime: field(7, time),
  reason: field(4, string),
  message: field(5, string),
}));
