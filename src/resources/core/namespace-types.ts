import { field, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const Namespace = struct('core/v1.Namespace', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, NamespaceSpec),
  status: field(3, NamespaceStatus),
}));

export const NamespaceSpec = struct('core/v1.NamespaceSpec', () => ({
  finalizers: field(1, listOf(namedString('core/v1.FinalizerName')), { list: 'atomic' }),
}));

export type NamespaceSpec = TypeOf<typeof NamespaceSpec>;

export const NamespaceStatus = struct('core/v1.NamespaceStatus', () => ({
  phase: field(1, namedString('core/v1.NamespacePhase'), { defaulted: true, enum: ['Active', 'Terminating'] }),
  conditions: field(2, listOf(NamespaceCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export const NamespaceCondition = struct('core/v1.NamespaceCondition', () => ({
  type: field(1, namedString('core/v1.NamespaceConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
}));
