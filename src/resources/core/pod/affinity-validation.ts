import { forbiddenValue, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import type { LabelSelector } from '../../../schema/meta-types.ts';
import { validateLabelSelector } from '../../validation/label-selectors.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../../validation/node-selectors.ts';
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm } from '../scheduling-types.ts';
import { checkDnsLabel, type Errors } from './field-checks.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity, field: string, errors: Errors): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity !== undefined) validateNodeAffinity(nodeAffinity, `${field}.nodeAffinity`, errors);
  if (podAffinity !== undefined) validatePodAffinity(podAffinity, `${field}.podAffinity`, errors);
  if (podAntiAffinity !== undefined) validatePodAffinity(podAntiAffinity, `${field}.podAntiAffinity`, errors);
}

function validateNodeAffinity(affinity: NodeAffinity, field: string, errors: Errors): void {
  const selector = affinity[requiredTerms];
  if (selector !== undefined) errors.push(...validateNodeSelector(selector, `${field}.${requiredTerms}`));
  for (const [index, { weight, preference }] of (affinity[preferredTerms] ?? []).entries()) {
    const path = `${field}.${preferredTerms}[${index}]`;
    validateWeight(weight, `${path}.weight`, errors);
    // In a preference, values that no label can have are accepted: such a preference just never matches.
    errors.push(...validateNodeSelectorTerm(preference ?? {}, `${path}.preference`, { allowInvalidValues: true }));
  }
}

function validateWeight(weight = 0, field: string, errors: Errors): void {
  if (weight <= 0 || weight > 100) errors.push(invalidValue(field, weight, 'must be in the range 1-100'));
}

function validatePodAffinity(affinity: PodAffinity, field: string, errors: Errors): void {
  for (const [index, term] of (affinity[requiredTerms] ?? []).entries()) {
    validatePodTerm(term, `${field}.${requiredTerms}[${index}]`, errors);
  }
  for (const [index, { weight, podAffinityTerm }] of (affinity[preferredTerms] ?? []).entries()) {
    const path = `${field}.${preferredTerms}[${index}]`;
    validateWeight(weight, `${path}.weight`, errors);
    validatePodTerm(podAffinityTerm ?? {}, `${path}.podAffinityTerm`, errors);
  }
}

function validatePodTerm(term: PodAffinityTerm, field: string, errors: Errors): void {
  const { labelSelector, namespaceSelector, namespaces, topologyKey = '' } = term;
  errors.push(...validateLabelSelector(labelSelector, `${field}.labelSelector`));
  errors.push(...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`));
  for (const namespace of namespaces ?? []) checkDnsLabel(namespace, `${field}.namespace`, errors);
  validateTermKeys(term, field, errors);
  if (topologyKey === '') errors.push(requiredValue(`${field}.topologyKey`, 'can not be empty'));
  for (const detail of labelKeyErrors(topologyKey)) {
    errors.push(invalidValue(`${field}.topologyKey`, topologyKey, detail));
  }
}

function validateTermKeys(term: PodAffinityTerm, field: string, errors: Errors): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  validateMatchLabelKeys(matchLabelKeys, `${field}.matchLabelKeys`, { labelSelector, errors });
  validateMatchLabelKeys(mismatchLabelKeys, `${field}.mismatchLabelKeys`, { labelSelector, errors });
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatchLabelKeys.includes(key)) continue;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalidValue(`${field}.matchLabelKeys[${index}]`, key, detail));
  }
  validateSelectedOnce(matchLabelKeys, field, { labelSelector, errors });
  validateSelectedOnce(mismatchLabelKeys, field, { labelSelector, errors });
}

/**
 * `preparePod` adds one expression to the selector for each key, so one expression is allowed. Any further one for the
 * same key comes from the client and is an error.
 */
export function validateSelectedOnce(
  keys: readonly string[],
  field: string,
  { labelSelector, errors }: { readonly labelSelector: LabelSelector | undefined; readonly errors: Errors },
): void {
  const seen = new Set<string>();
  for (const { key = '' } of labelSelector?.matchExpressions ?? []) {
    const index = keys.indexOf(key);
    if (index === -1) continue;
    if (seen.has(key)) {
      errors.push(invalidValue(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    seen.add(key);
  }
}

/** Label keys whose values are taken from the labels of the pod. */
export function validateMatchLabelKeys(
  keys: readonly string[],
  field: string,
  { labelSelector, errors }: { readonly labelSelector: LabelSelector | undefined; readonly errors: Errors },
): void {
  if (keys.length === 0) return;
  if (labelSelector === undefined) {
    errors.push(forbiddenValue(field, 'must not be specified when labelSelector is not set'));
    return;
  }
  for (const [index, key] of keys.entries()) {
    for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${field}[${index}]`, key, detail));
  }
}
