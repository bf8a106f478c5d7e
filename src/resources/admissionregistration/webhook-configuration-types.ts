import { bytes, field, int32, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { MatchCondition, RuleWithOperations } from './match-types.ts';

export const MutatingWebhookConfiguration = struct('admissionregistration/v1.MutatingWebhookConfiguration', () => ({
  metadata: field(1, ObjectMeta),
  webhooks: field(2, listOf(MutatingWebhook), { list: ['name'], patch: { strategies: ['merge'], mergeKey: 'name' } }),
}));

export const MutatingWebhook = struct('admissionregistration/v1.MutatingWebhook', () => ({
  name: field(1, string, { required: true, always: true }),
  clientConfig: field(2, WebhookClientConfig, { required: true, always: true }),
  rules: field(3, listOf(RuleWithOperations), { list: 'atomic' }),
  failurePolicy: field(4, namedString('admissionregistration/v1.FailurePolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['Fail', 'Ignore'],
  }),
  matchPolicy: field(9, namedString('admissionregistration/v1.MatchPolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['Exact', 'Equivalent'],
  }),
  namespaceSelector: field(5, LabelSelector, { pointer: true, defaulted: true }),
  objectSelector: field(11, LabelSelector, { pointer: true, defaulted: true }),
  sideEffects: field(6, namedString('admissionregistration/v1.SideEffectClass'), {
    required: true,
    pointer: true,
    always: true,
    enum: ['Unknown', 'None', 'Some', 'NoneOnDryRun'],
  }),
  timeoutSeconds: field(7, int32, { pointer: true, defaulted: true }),
  admissionReviewVersions: field(8, listOf(string), { required: true, always: true, list: 'atomic' }),
  reinvocationPolicy: field(10, namedString('admissionregistration/v1.ReinvocationPolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['IfNeeded', 'Never'],
  }),
  matchConditions: field(12, listOf(MatchCondition), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
}));

export type MutatingWebhook = TypeOf<typeof MutatingWebhook>;

export const WebhookClientConfig = struct('admissionregistration/v1.WebhookClientConfig', () => ({
  url: field(3, string, { pointer: true }),
  service: field(1, ServiceReference, { pointer: true }),
  caBundle: field(2, bytes),
}));

export type WebhookClientConfig = TypeOf<typeof WebhookClientConfig>;

export const ServiceReference = struct('admissionregistration/v1.ServiceReference', () => ({
  namespace: field(1, string, { required: true, always: true }),
  name: field(2, string, { required: true, always: true }),
  path: field(3, string, { pointer: true }),
  port: field(4, int32, { pointer: true, defaulted: true }),
}));

export type ServiceReference = TypeOf<typeof ServiceReference>;

export const ValidatingWebhookConfiguration = struct('admissionregistration/v1.ValidatingWebhookConfiguration', () => ({
  metadata: field(1, ObjectMeta),
  webhooks: field(2, listOf(ValidatingWebhook), { list: ['name'], patch: { strategies: ['merge'], mergeKey: 'name' } }),
}));

export const ValidatingWebhook = struct('admissionregistration/v1.ValidatingWebhook', () => ({
  name: field(1, string, { required: true, always: true }),
  clientConfig: field(2, WebhookClientConfig, { required: true, always: true }),
  rules: field(3, listOf(RuleWithOperations), { list: 'atomic' }),
  failurePolicy: field(4, namedString('admissionregistration/v1.FailurePolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['Ignore', 'Fail'],
  }),
  matchPolicy: field(9, namedString('admissionregistration/v1.MatchPolicyType'), {
    pointer: true,
    defaulted: true,
    enum: ['Exact', 'Equivalent'],
  }),
  namespaceSelector: field(5, LabelSelector, { pointer: true, defaulted: true }),
  objectSelector: field(10, LabelSelector, { pointer: true, defaulted: true }),
  sideEffects: field(6, namedString('admissionregistration/v1.SideEffectClass'), {
    required: true,
    pointer: true,
    always: true,
    enum: ['Unknown', 'None', 'Some', 'NoneOnDryRun'],
  }),
  timeoutSeconds: field(7, int32, { pointer: true, defaulted: true }),
  admissionReviewVersions: field(8, listOf(string), { required: true, always: true, list: 'atomic' }),
  matchConditions: field(11, listOf(MatchCondition), {
    list: ['name'],
    patch: { strategies: ['merge'], mergeKey: 'name' },
  }),
}));
