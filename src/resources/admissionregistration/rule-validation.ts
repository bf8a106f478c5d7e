import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { pathSegmentErrors } from '../../meta/names.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { type NamedRuleWithOperations, Rule, RuleWithOperations } from './match-types.ts';

const operations = enumOf(RuleWithOperations, 'operations');
const scopes = enumOf(Rule, 'scope');

export function validateNamedRule(rule: NamedRuleWithOperations, path: string, errors: FieldError[]): void {
  const names = rule.resourceNames ?? [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const at = `${path}.resourceNames[${index}]`;
    for (const detail of pathSegmentErrors(name)) errors.push(invalidValue(at, name, detail));
    if (names.indexOf(name) < index) errors.push(duplicateValue(at, name));
  }
  validateRule(rule, path, errors);
}

export function validateRule(rule: RuleWithOperations, path: string, errors: FieldError[]): void {
  const ruleOperations = rule.operations ?? [];
  validateWildcardList(ruleOperations, { path: `${path}.operations`, others: 'operations' }, errors);
  for (let index = 0; index < ruleOperations.length; index++) {
    const operation = ruleOperations[index]!;
    if (operations.includes(operation)) continue;
    errors.push(notSupportedValue(`${path}.operations[${index}]`, operation, operations));
  }
  validateWildcardList(rule.apiGroups ?? [], { path: `${path}.apiGroups`, others: 'API groups' }, errors);
  const versions = rule.apiVersions ?? [];
  validateWildcardList(versions, { path: `${path}.apiVersions`, others: 'API versions' }, errors);
  for (let index = 0; index < versions.length; index++) {
    if (versions[index] === '') errors.push(requiredValue(`${path}.apiVersions[${index}]`));
  }
  validateResources(rule.resources ?? [], `${path}.resources`, errors);
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) {
    errors.push(notSupportedValue(`${path}.scope`, rule.scope, scopes));
  }
}

function validateWildcardList(
  values: readonly string[],
  { path, others }: { readonly path: string; readonly others: string },
  errors: FieldError[],
): void {
  if (values.length === 0) errors.push(requiredValue(path));
  if (values.length > 1 && values.includes('*')) {
    errors.push(invalidValue(path, values, `if '*' is present, must not specify other ${others}`));
  }
}

/** Accepts `pods`, `pods/status`, `pods/*`, `*` and `*` with a subresource. No entry may cover another one. */
function validateResources(resources: readonly string[], path: string, errors: FieldError[]): void {
  if (resources.length === 0) errors.push(requiredValue(path));
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let lastIsBareResource = false;
  for (let index = 0; index < resources.length; index++) {
    const entry = resources[index]!;
    const at = `${path}[${index}]`;
    if (entry === '') {
      errors.push(requiredValue(at));
      continue;
    }
    const slash = entry.indexOf('/');
    if (slash < 0) {
      // Only the last entry without a slash counts, as in kube-apiserver.
      lastIsBareResource = entry !== '*';
      continue;
    }
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    if (wholeResources.has(resource)) {
      errors.push(invalidValue(at, entry, `if '${resource}/*' is present, must not specify ${entry}`));
    }
    if (wholeSubresources.has(subresource)) {
      errors.push(invalidValue(at, entry, `if '*/${subresource}' is present, must not specify ${entry}`));
    }
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && lastIsBareResource) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(path, resources, detail));
  }
}
