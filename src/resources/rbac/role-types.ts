import { field, listOf, string, struct } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const Role = struct('rbac/v1.Role', () => ({
  metadata: field(1, ObjectMeta),
  rules: field(2, listOf(PolicyRule), { always: true, list: 'atomic' }),
}));

export const PolicyRule = struct('rbac/v1.PolicyRule', () => ({
  verbs: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  apiGroups: field(2, listOf(string), { list: 'atomic' }),
  resources: field(3, listOf(string), { list: 'atomic' }),
  resourceNames: field(4, listOf(string), { list: 'atomic' }),
  nonResourceURLs: field(5, listOf(string), { list: 'atomic' }),
}));

export type PolicyRule = TypeOf<typeof PolicyRule>;

export const ClusterRole = struct('rbac/v1.ClusterRole', () => ({
  metadata: field(1, ObjectMeta),
  rules: field(2, listOf(PolicyRule), { always: true, list: 'atomic' }),
  aggregationRule: field(3, AggregationRule, { pointer: true }),
}));

export const AggregationRule = struct('rbac/v1.AggregationRule', () => ({
  clusterRoleSelectors: field(1, listOf(LabelSelector), { list: 'atomic' }),
}));
