import { field, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

// The types that select the requests for a webhook or policy.

export const MatchResources = struct(
  'admissionregistration/v1.MatchResources',
  () => ({
    namespaceSelector: field(1, LabelSelector, { pointer: true, defaulted: true }),
    objectSelector: field(2, LabelSelector, { pointer: true, defaulted: true }),
    resourceRules: field(3, listOf(NamedRuleWithOperations), { list: 'atomic' }),
    excludeResourceRules: field(4, listOf(NamedRuleWithOperations), { list: 'atomic' }),
    matchPolicy: field(7, namedString('admissionregistration/v1.MatchPolicyType'), {
      pointer: true,
      defaulted: true,
      enum: ['Equivalent', 'Exact'],
    }),
  }),
  { atomic: true },
);

export type MatchResources = TypeOf<typeof MatchResources>;

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1.NamedRuleWithOperations',
  () => ({
    resourceNames: field(1, listOf(string), { list: 'atomic' }),
    ruleWithOperations: field(2, RuleWithOperations, { inline: true }),
  }),
  { atomic: true },
);

export type NamedRuleWithOperations = TypeOf<typeof NamedRuleWithOperations>;

export const RuleWithOperations = struct('admissionregistration/v1.RuleWithOperations', () => ({
  operations: field(1, listOf(namedString('admissionregistration/v1.OperationType')), {
    enum: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
    list: 'atomic',
  }),
  rule: field(2, Rule, { inline: true }),
}));

export type RuleWithOperations = TypeOf<typeof RuleWithOperations>;

export const Rule = struct('admissionregistration/v1.Rule', () => ({
  apiGroups: field(1, listOf(string), { list: 'atomic' }),
  apiVersions: field(2, listOf(string), { list: 'atomic' }),
  resources: field(3, listOf(string), { list: 'atomic' }),
  scope: field(4, namedString('admissionregistration/v1.ScopeType'), {
    pointer: true,
    defaulted: true,
    enum: ['*', 'Cluster', 'Namespaced'],
  }),
}));

export const MatchCondition = struct('admissionregistration/v1.MatchCondition', () => ({
  name: field(1, string, { required: true, always: true }),
  expression: field(2, string, { required: true, always: true }),
}));
