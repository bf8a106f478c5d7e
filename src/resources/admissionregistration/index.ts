import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { defineVersion } from '../define-version.ts';
import { deriveVersion, withFields } from '../derive-version.ts';
import { mutatingPolicyRules } from './mutating-policy-rules.ts';
import { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from './mutating-policy-types.ts';
import { mutatingPolicyBindingRules, validatingPolicyBindingRules } from './policy-binding-rules.ts';
import { validatingPolicyRules } from './validating-policy-rules.ts';
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from './validating-policy-types.ts';
import {
  mutatingWebhookConfigurationRules,
  validatingWebhookConfigurationRules,
} from './webhook-configuration-rules.ts';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from './webhook-configuration-types.ts';

/**
 * The `admissionregistration.k8s.io` group: admission policies and webhooks. This folder defines the objects that
 * register them. `admission` runs them.
 */
const v1 = { group: 'admissionregistration.k8s.io', version: 'v1' };

const common = {
  scope: 'cluster',
  categories: ['api-extensions'],
  generation: true,
  unconditionalUpdate: false,
} as const;

const mutatingPolicies = defineResource(v1, 'mutatingadmissionpolicies', {
  ...common,
  ...mutatingPolicyRules,
  schema: MutatingAdmissionPolicy,
  storage: { hashVersion: 'v1beta1' },
});
const mutatingPolicyBindings = defineResource(v1, 'mutatingadmissionpolicybindings', {
  ...common,
  ...mutatingPolicyBindingRules,
  schema: MutatingAdmissionPolicyBinding,
  storage: { hashVersion: 'v1beta1' },
});

export const admissionregistrationResources: readonly ResourceDefinition[] = [
  mutatingPolicies,
  mutatingPolicyBindings,
  defineResource(v1, 'mutatingwebhookconfigurations', {
    ...common,
    ...mutatingWebhookConfigurationRules,
    schema: MutatingWebhookConfiguration,
  }),
  defineResource(v1, 'validatingadmissionpolicies', {
    ...common,
    ...validatingPolicyRules,
    schema: ValidatingAdmissionPolicy,
    subresources: [status],
  }),
  defineResource(v1, 'validatingadmissionpolicybindings', {
    ...common,
    ...validatingPolicyBindingRules,
    schema: ValidatingAdmissionPolicyBinding,
  }),
  defineResource(v1, 'validatingwebhookconfigurations', {
    ...common,
    ...validatingWebhookConfigurationRules,
    schema: ValidatingWebhookConfiguration,
  }),
];

// Both versions use the rules of v1. They differ in the enum values that their schemas list.
const v1beta1Type = deriveVersion({
  from: 'admissionregistration/v1',
  to: 'admissionregistration/v1beta1',
  kept: ['RuleWithOperations'],
  withoutEnum: [
    'MatchResources.matchPolicy',
    'MutatingAdmissionPolicySpec.failurePolicy',
    'MutatingAdmissionPolicySpec.reinvocationPolicy',
  ],
});
const v1alpha1Type = deriveVersion({
  from: 'admissionregistration/v1',
  to: 'admissionregistration/v1alpha1',
  kept: ['RuleWithOperations', 'ReinvocationPolicyType'],
  replaced: {
    ParamRef: (same) => withFields(same, { parameterNotFoundAction: { enum: ['Allow', 'Deny'] } }),
  },
  withoutEnum: ['MutatingAdmissionPolicySpec.reinvocationPolicy'],
  granular: ['Variable'],
});

export const optionalAdmissionregistrationResources: readonly ResourceDefinition[] = [
  mutatingPolicies,
  mutatingPolicyBindings,
].flatMap((definition) => [
  defineVersion(definition, { version: 'v1beta1', schema: v1beta1Type(definition.schema) }),
  defineVersion(definition, {
    version: 'v1alpha1',
    schema: v1alpha1Type(definition.schema),
    deprecated: { since: 35, unavailable: 38 },
  }),
]);
