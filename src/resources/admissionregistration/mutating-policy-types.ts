import { field, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { MatchCondition, MatchResources } from './match-types.ts';
import { ParamKind, ParamRef, Variable } from './policy-types.ts';

export const MutatingAdmissionPolicy = struct('admissionregistration/v1.MutatingAdmissionPolicy', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, MutatingAdmissionPolicySpec),
}));

export type MutatingAdmissionPolicy = ObjectOf<typeof MutatingAdmissionPolicy>;

export const MutatingAdmissionPolicySpec = struct('admissionregistration/v1.MutatingAdmissionPolicySpec', () => ({
  paramKind: field(1, ParamKind, { pointer: true }),
  matchConstraints: field(2, MatchResources, { pointer: true }),
  variables: field(3, listOf(Variable), { list: 'atomic' }),
  mutations: field(4, listOf(Mutation), { list: 'atomic' }),
  failurePolicy: field(5, namedString('admissionregistration/v1.FailurePolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['Ignore', 'Fail'],
  }),
  matchConditions: field(6, listOf(MatchCondition), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
  reinvocationPolicy: field(7, namedString('admissionregistration/v1.ReinvocationPolicyType'), {
    enum: ['Never', 'IfNeeded'],
  }),
}));

export type MutatingAdmissionPolicySpec = TypeOf<typeof MutatingAdmissionPolicySpec>;

export const Mutation = struct('admissionregistration/v1.Mutation', () => ({
  patchType: field(2, namedString('admissionregistration/v1.PatchType'), {
    required: true,
    always: true,
    enum: ['ApplyConfiguration', 'JSONPatch'],
  }),
  applyConfiguration: field(3, ApplyConfiguration, { pointer: true }),
  jsonPatch: field(4, JSONPatch, { pointer: true }),
}));

export type Mutation = TypeOf<typeof Mutation>;

export const ApplyConfiguration = struct('admissionregistration/v1.ApplyConfiguration', () => ({
  expression: field(1, string),
}));

export const JSONPatch = struct('admissionregistration/v1.JSONPatch', () => ({
  expression: field(1, string),
}));

export const MutatingAdmissionPolicyBinding = struct('admissionregistration/v1.MutatingAdmissionPolicyBinding', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, MutatingAdmissionPolicyBindingSpec),
}));

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.MutatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: field(1, string),
    paramRef: field(2, ParamRef, { pointer: true }),
    matchResources: field(3, MatchResources, { pointer: true }),
  }),
);
