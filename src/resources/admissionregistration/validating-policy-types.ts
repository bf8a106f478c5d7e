import { field, int64, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { MatchCondition, MatchResources } from './match-types.ts';
import { ParamKind, ParamRef, Variable } from './policy-types.ts';

export const ValidatingAdmissionPolicy = struct('admissionregistration/v1.ValidatingAdmissionPolicy', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ValidatingAdmissionPolicySpec),
  status: field(3, ValidatingAdmissionPolicyStatus),
}));

export type ValidatingAdmissionPolicy = ObjectOf<typeof ValidatingAdmissionPolicy>;

export const ValidatingAdmissionPolicySpec = struct('admissionregistration/v1.ValidatingAdmissionPolicySpec', () => ({
  paramKind: field(1, ParamKind, { pointer: true }),
  matchConstraints: field(2, MatchResources, { pointer: true }),
  validations: field(3, listOf(Validation), { list: 'atomic' }),
  failurePolicy: field(4, namedString('admissionregistration/v1.FailurePolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['Ignore', 'Fail'],
  }),
  auditAnnotations: field(5, listOf(AuditAnnotation), { list: 'atomic' }),
  matchConditions: field(6, listOf(MatchCondition), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  variables: field(7, listOf(Variable), { list: ['name'], patch: { strategies: ['merge'], mergeKey: 'name' } }),
}));

export type ValidatingAdmissionPolicySpec = TypeOf<typeof ValidatingAdmissionPolicySpec>;

export const Validation = struct('admissionregistration/v1.Validation', () => ({
  expression: field(1, string, { required: true, always: true }),
  message: field(2, string),
  reason: field(3, namedString('meta/v1.StatusReason'), { pointer: true }),
  messageExpression: field(4, string),
}));

export type Validation = TypeOf<typeof Validation>;

export const AuditAnnotation = struct('admissionregistration/v1.AuditAnnotation', () => ({
  key: field(1, string, { required: true, always: true }),
  valueExpression: field(2, string, { required: true, always: true }),
}));

export type AuditAnnotation = TypeOf<typeof AuditAnnotation>;

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  () => ({
    observedGeneration: field(1, int64),
    typeChecking: field(2, TypeChecking, { pointer: true }),
    conditions: field(3, listOf(Condition), { list: ['type'] }),
  }),
);

export type ValidatingAdmissionPolicyStatus = TypeOf<typeof ValidatingAdmissionPolicyStatus>;

export const TypeChecking = struct('admissionregistration/v1.TypeChecking', () => ({
  expressionWarnings: field(1, listOf(ExpressionWarning), { list: 'atomic' }),
}));

export const ExpressionWarning = struct('admissionregistration/v1.ExpressionWarning', () => ({
  fieldRef: field(2, string, { required: true, always: true }),
  warning: field(3, string, { required: true, always: true }),
}));

export const ValidatingAdmissionPolicyBinding = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  () => ({
    metadata: field(1, ObjectMeta),
    spec: field(2, ValidatingAdmissionPolicyBindingSpec, { required: true }),
  }),
);

export type ValidatingAdmissionPolicyBinding = ObjectOf<typeof ValidatingAdmissionPolicyBinding>;

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: field(1, string, { required: true }),
    paramRef: field(2, ParamRef, { pointer: true }),
    matchResources: field(3, MatchResources, { pointer: true }),
    validationActions: field(4, listOf(namedString('admissionregistration/v1.ValidationAction')), {
      required: true,
      enum: ['Audit', 'Deny', 'Warn'],
      list: 'set',
    }),
  }),
);

export type ValidatingAdmissionPolicyBindingSpec = TypeOf<typeof ValidatingAdmissionPolicyBindingSpec>;
