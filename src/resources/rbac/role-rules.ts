import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import type { PolicyRule } from './role-types.ts';

export const roleRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'object', 'metadataChange'],
  validate: (role) => policyErrors(role, { namespaced: true }),
};

export const clusterRoleRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'object', 'metadataChange'],
  validate: (role) => [...policyErrors(role, { namespaced: false }), ...aggregationErrors(role)],
};

function policyErrors({ rules }: ResourceObject, scope: { readonly namespaced: boolean }): FieldError[] {
  const list = (rules ?? []) as PolicyRule[];
  return list.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, scope));
}

function ruleErrors(rule: PolicyRule, path: string, { namespaced }: { readonly namespaced: boolean }): FieldError[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const errors: FieldError[] = [];
  if (!verbs?.length) errors.push(requiredValue(`${path}.verbs`, 'verbs must contain at least one value'));
  if (nonResourceURLs?.length) {
    const refuse = (detail: string) => errors.push(invalidValue(`${path}.nonResourceURLs`, nonResourceURLs, detail));
    if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (apiGroups?.length || resources?.length || resourceNames?.length) {
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    }
    return errors;
  }
  if (!apiGroups?.length) {
    errors.push(requiredValue(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (!resources?.length) {
    errors.push(requiredValue(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function aggregationErrors({ aggregationRule }: ResourceObject): FieldError[] {
  if (!aggregationRule) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const { clusterRoleSelectors: selectors } = aggregationRule as { clusterRoleSelectors?: LabelSelector[] };
  if (!selectors?.length) {
    return [requiredValue(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, index) => {
    const at = `${path}[${index}]`;
    const errors = validateLabelSelector(selector, at);
    // kube-apiserver also reports an invalid selector as a whole.
    return errors.length === 0 ? errors : [...errors, invalidValue(at, null, 'invalid label selector.')];
  });
}
