import { field, int32, int64, intOrString, listOf, mapOf, namedString, struct, time } from '../../schema/builders.ts';
import { Condition, DeleteOptions, LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const PodDisruptionBudget = struct('policy/v1.PodDisruptionBudget', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PodDisruptionBudgetSpec),
  status: field(3, PodDisruptionBudgetStatus),
}));

export type PodDisruptionBudget = ObjectOf<typeof PodDisruptionBudget>;

export const PodDisruptionBudgetSpec = struct('policy/v1.PodDisruptionBudgetSpec', () => ({
  minAvailable: field(1, intOrString, { pointer: true }),
  selector: field(2, LabelSelector, { pointer: true, patch: { strategies: ['replace'] } }),
  maxUnavailable: field(3, intOrString, { pointer: true }),
  unhealthyPodEvictionPolicy: field(4, namedString('policy/v1.UnhealthyPodEvictionPolicyType'), {
    pointer: true,
    enum: ['AlwaysAllow', 'IfHealthyBudget'],
  }),
}));

export type PodDisruptionBudgetSpec = TypeOf<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct('policy/v1.PodDisruptionBudgetStatus', () => ({
  observedGeneration: field(1, int64),
  disruptedPods: field(2, mapOf(time)),
  disruptionsAllowed: field(3, int32, { always: true }),
  currentHealthy: field(4, int32, { always: true }),
  desiredHealthy: field(5, int32, { always: true }),
  expectedPods: field(6, int32, { always: true }),
  conditions: field(7, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
}));

export type PodDisruptionBudgetStatus = TypeOf<typeof PodDisruptionBudgetStatus>;

export const Eviction = struct('policy/v1.Eviction', () => ({
  metadata: field(1, ObjectMeta),
  deleteOptions: field(2, DeleteOptions, { pointer: true }),
}));
