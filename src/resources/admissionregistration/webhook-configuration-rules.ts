import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import { setRuleDefaults } from './match-defaults.ts';
import { matchPolicies, validateChoice, validateMatchConditions } from './match-validation.ts';
import { validateRule } from './rule-validation.ts';
import { validateWebhookClient } from './webhook-client-validation.ts';
import { MutatingWebhook } from './webhook-configuration-types.ts';

export const failurePolicies = enumOf(MutatingWebhook, 'failurePolicy');
export const reinvocationPolicies = enumOf(MutatingWebhook, 'reinvocationPolicy');
const sideEffectClasses = ['None', 'NoneOnDryRun'];
const reviewVersions = ['v1', 'v1beta1'];

export const validatingWebhookConfigurationRules: Partial<ResourceRules> = {
  finalizers: 'any',
  generationCountsEmpty: true,
  updateChecks: ['metadata', 'object'],
  setDefaults: (object) => webhooksOf(object).forEach(setWebhookDefaults),
  validate: validateConfiguration,
};

export const mutatingWebhookConfigurationRules: Partial<ResourceRules> = {
  finalizers: 'any',
  generationCountsEmpty: true,
  updateChecks: ['metadata', 'object'],
  setDefaults: (object) => {
    for (const webhook of webhooksOf(object)) {
      setWebhookDefaults(webhook);
      webhook.reinvocationPolicy ??= 'Never';
    }
  },
  validate: validateConfiguration,
};

function webhooksOf(object: ResourceObject): readonly MutatingWebhook[] {
  return (object.webhooks as readonly MutatingWebhook[] | undefined) ?? [];
}

function setWebhookDefaults(webhook: MutatingWebhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  const service = webhook.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  setRuleDefaults(webhook.rules);
}

function validateConfiguration(object: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const webhooks = webhooksOf(object);
  for (let index = 0; index < webhooks.length; index++) {
    const webhook = webhooks[index]!;
    const path = `webhooks[${index}]`;
    validateWebhook(webhook, path, errors);
    validateReviewVersions(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`, errors);
    if (!webhook.name) continue;
    if (names.has(webhook.name)) errors.push(duplicateValue(`${path}.name`, webhook.name));
    names.add(webhook.name);
  }
  return errors;
}

function validateWebhook(webhook: MutatingWebhook, path: string, errors: FieldError[]): void {
  validateQualifiedDomain(webhook.name ?? '', `${path}.name`, errors);
  const { rules = [], timeoutSeconds } = webhook;
  for (let index = 0; index < rules.length; index++) validateRule(rules[index]!, `${path}.rules[${index}]`, errors);
  validateChoice(webhook.failurePolicy, { path: `${path}.failurePolicy`, supported: failurePolicies }, errors);
  validateChoice(webhook.matchPolicy, { path: `${path}.matchPolicy`, supported: matchPolicies }, errors);
  validateSideEffects(webhook.sideEffects ?? undefined, `${path}.sideEffects`, errors);
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalidValue(`${path}.timeoutSeconds`, timeoutSeconds, detail));
  }
  errors.push(
    ...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`),
  );
  const reinvocation = { path: `${path}.reinvocationPolicy`, supported: reinvocationPolicies };
  validateChoice(webhook.reinvocationPolicy, reinvocation, errors);
  validateWebhookClient(webhook.clientConfig ?? {}, `${path}.clientConfig`, errors);
  validateMatchConditions(webhook.matchConditions, { path: `${path}.matchConditions` }, errors);
}

function validateQualifiedDomain(name: string, path: string, errors: FieldError[]): void {
  if (name === '') {
    errors.push(requiredValue(path));
    return;
  }
  const details = dnsSubdomainErrors(name);
  if (details.length > 0) errors.push(invalidValue(path, name, details.join(',')));
  else if (name.split('.').length < 3) {
    errors.push(invalidValue(path, name, 'should be a domain with at least three segments separated by dots'));
  }
}

function validateSideEffects(sideEffects: string | undefined, path: string, errors: FieldError[]): void {
  if (sideEffects === undefined) {
    errors.push(requiredValue(path, `must specify one of ${sideEffectClasses.join(', ')}`));
  } else if (!sideEffectClasses.includes(sideEffects)) {
    errors.push(notSupportedValue(path, sideEffects, sideEffectClasses));
  }
}

function validateReviewVersions(versions: readonly string[], path: string, errors: FieldError[]): void {
  if (versions.length === 0) {
    errors.push(requiredValue(path, `must specify one of ${reviewVersions.join(', ')}`));
    return;
  }
  validateVersionList(versions, path, errors);
}

/** Validates the review versions that a webhook accepts. The server must support at least one of them. */
export function validateVersionList(versions: readonly string[], path: string, errors: FieldError[]): void {
  for (let index = 0; index < versions.length; index++) {
    const version = versions[index]!;
    const at = `${path}[${index}]`;
    if (versions.indexOf(version) < index) {
      errors.push(invalidValue(at, version, 'duplicate version'));
      continue;
    }
    for (const detail of dns1035LabelErrors(version)) errors.push(invalidValue(at, version, detail));
  }
  if (versions.some((version) => reviewVersions.includes(version))) return;
  errors.push(invalidValue(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
}
