import { bool, field, int32, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const FlowSchema = struct('flowcontrol/v1.FlowSchema', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, FlowSchemaSpec),
  status: field(3, FlowSchemaStatus),
}));

export type FlowSchema = ObjectOf<typeof FlowSchema>;

export const FlowSchemaSpec = struct('flowcontrol/v1.FlowSchemaSpec', () => ({
  priorityLevelConfiguration: field(1, PriorityLevelConfigurationReference, { required: true, always: true }),
  matchingPrecedence: field(2, int32, { always: true, defaulted: true }),
  distinguisherMethod: field(3, FlowDistinguisherMethod, { pointer: true }),
  rules: field(4, listOf(PolicyRulesWithSubjects), { list: 'atomic' }),
}));

export const PriorityLevelConfigurationReference = struct('flowcontrol/v1.PriorityLevelConfigurationReference', () => ({
  name: field(1, string, { required: true, always: true }),
}));

export const FlowDistinguisherMethod = struct('flowcontrol/v1.FlowDistinguisherMethod', () => ({
  type: field(1, namedString('flowcontrol/v1.FlowDistinguisherMethodType'), { required: true, always: true }),
}));

export const PolicyRulesWithSubjects = struct('flowcontrol/v1.PolicyRulesWithSubjects', () => ({
  subjects: field(1, listOf(Subject), { required: true, always: true, list: 'atomic' }),
  resourceRules: field(2, listOf(ResourcePolicyRule), { list: 'atomic' }),
  nonResourceRules: field(3, listOf(NonResourcePolicyRule), { list: 'atomic' }),
}));

export type PolicyRulesWithSubjects = TypeOf<typeof PolicyRulesWithSubjects>;

export const Subject = struct(
  'flowcontrol/v1.Subject',
  () => ({
    kind: field(1, namedString('flowcontrol/v1.SubjectKind'), { required: true, always: true }),
    user: field(2, UserSubject, { pointer: true }),
    group: field(3, GroupSubject, { pointer: true }),
    serviceAccount: field(4, ServiceAccountSubject, { pointer: true }),
  }),
  { unions: [{ discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } }] },
);

export type Subject = TypeOf<typeof Subject>;

export const UserSubject = struct('flowcontrol/v1.UserSubject', () => ({
  name: field(1, string, { required: true, always: true }),
}));

export const GroupSubject = struct('flowcontrol/v1.GroupSubject', () => ({
  name: field(1, string, { required: true, always: true }),
}));

export const ServiceAccountSubject = struct('flowcontrol/v1.ServiceAccountSubject', () => ({
  namespace: field(1, string, { required: true, always: true }),
  name: field(2, string, { required: true, always: true }),
}));

export type ServiceAccountSubject = TypeOf<typeof ServiceAccountSubject>;

export const ResourcePolicyRule = struct('flowcontrol/v1.ResourcePolicyRule', () => ({
  verbs: field(1, listOf(string), { required: true, always: true, list: 'set' }),
  apiGroups: field(2, listOf(string), { required: true, always: true, list: 'set' }),
  resources: field(3, listOf(string), { required: true, always: true, list: 'set' }),
  clusterScope: field(4, bool),
  namespaces: field(5, listOf(string), { always: true, list: 'set' }),
}));

export type ResourcePolicyRule = TypeOf<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct('flowcontrol/v1.NonResourcePolicyRule', () => ({
  verbs: field(1, listOf(string), { required: true, always: true, list: 'set' }),
  nonResourceURLs: field(6, listOf(string), { required: true, always: true, list: 'set' }),
}));

export type NonResourcePolicyRule = TypeOf<typeof NonResourcePolicyRule>;

export const FlowSchemaStatus = struct('flowcontrol/v1.FlowSchemaStatus', () => ({
  conditions: field(1, listOf(FlowSchemaCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export type FlowSchemaStatus = TypeOf<typeof FlowSchemaStatus>;

export const FlowSchemaCondition = struct('flowcontrol/v1.FlowSchemaCondition', () => ({
  type: field(1, namedString('flowcontrol/v1.FlowSchemaConditionType')),
  status: field(2, namedString('flowcontrol/v1.ConditionStatus')),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));

export type FlowSchemaCondition = TypeOf<typeof FlowSchemaCondition>;
