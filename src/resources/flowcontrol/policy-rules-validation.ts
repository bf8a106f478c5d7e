import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { dnsLabelErrors } from '../../meta/names.ts';
import type { NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule } from './flow-schema-types.ts';
import { validateSubject } from './subject-validation.ts';

const knownVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Validates the subjects and the requests that a rule matches. */
export function validatePolicyRules(rules: PolicyRulesWithSubjects, path: string): FieldError[] {
  const subjects = rules.subjects ?? [];
  const { resourceRules = [], nonResourceRules = [] } = rules;
  const errors = subjects.flatMap((subject, index) => validateSubject(subject, `${path}.subjects[${index}]`));
  if (subjects.length === 0) {
    errors.push(requiredValue(`${path}.subjects`, 'subjects must contain at least one value'));
  }
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(requiredValue(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  for (const [index, rule] of resourceRules.entries()) {
    errors.push(...resourceRuleErrors(rule, `${path}.resourceRules[${index}]`));
  }
  for (const [index, rule] of nonResourceRules.entries()) {
    errors.push(...nonResourceRuleErrors(rule, `${path}.nonResourceRules[${index}]`));
  }
  return errors;
}

function resourceRuleErrors(rule: ResourcePolicyRule, path: string): FieldError[] {
  const groups = rule.apiGroups ?? [];
  const resources = rule.resources ?? [];
  return [
    ...verbErrors(rule.verbs ?? [], `${path}.verbs`),
    ...(groups.length === 0
      ? [requiredValue(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
      : wildcardErrors(groups, `${path}.apiGroups`, 'api groups')),
    ...(resources.length === 0
      ? [requiredValue(`${path}.resources`, 'resource rules must supply at least one resource')]
      : wildcardErrors(resources, `${path}.resources`, 'resources')),
    ...namespaceErrors(rule, `${path}.namespaces`),
  ];
}

function namespaceErrors({ namespaces, clusterScope = false }: ResourcePolicyRule, field: string): FieldError[] {
  const names = namespaces ?? [];
  if (names.length === 0 && !clusterScope) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    return [requiredValue(field, detail)];
  }
  if (names.includes('*')) return wildcardErrors(names, field, 'namespaces');
  const introduction = "each member of this list must be '*' or a DNS-1123 label; ";
  return names.flatMap((name, index) =>
    dnsLabelErrors(name).map((detail) => invalidValue(`${field}[${index}]`, name, introduction + detail)),
  );
}

function nonResourceRuleErrors(rule: NonResourcePolicyRule, path: string): FieldError[] {
  const errors = verbErrors(rule.verbs ?? [], `${path}.verbs`);
  const urls = rule.nonResourceURLs ?? [];
  const field = `${path}.nonResourceURLs`;
  if (urls.length === 0) errors.push(requiredValue(field, 'nonResourceURLs must contain at least one value'));
  else if (urls.includes('*')) errors.push(...wildcardErrors(urls, field, 'non-resource URLs'));
  else {
    for (const [index, url] of urls.entries()) {
      const detail = urlProblem(url);
      if (detail !== undefined) errors.push(invalidValue(`${field}[${index}]`, url, detail));
    }
  }
  return errors;
}

function verbErrors(verbs: readonly string[], field: string): FieldError[] {
  if (verbs.length === 0) return [requiredValue(field, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return wildcardErrors(verbs, field, 'verbs');
  return verbs.every((verb) => knownVerbs.includes(verb)) ? [] : [notSupportedValue(field, verbs, knownVerbs)];
}

function wildcardErrors(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalidValue(field, values, `if '*' is present, must not specify other ${what}`)];
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcard = url.indexOf('*');
  return wildcard === -1 || (wildcard === url.length - 1 && url.endsWith('/*'))
    ? undefined
    : 'wildcard can only do suffix matching';
}
