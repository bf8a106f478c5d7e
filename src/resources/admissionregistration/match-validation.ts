import { compileCondition, type MatchCondition } from '../../admission/expressions/index.ts';
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooMany,
} from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import { expressionError } from './expression-error.ts';
import { MatchResources } from './match-types.ts';
import { validateNamedRule } from './rule-validation.ts';

export const matchPolicies = enumOf(MatchResources, 'matchPolicy');
const maxConditions = 64;

export function validateMatchResources(match: MatchResources, path: string, errors: FieldError[]): void {
  validateChoice(match.matchPolicy, { path: `${path}.matchPolicy`, supported: matchPolicies }, errors);
  errors.push(
    ...validateLabelSelector(match.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(match.objectSelector, `${path}.objectSelector`),
  );
  const { resourceRules = [], excludeResourceRules = [] } = match;
  for (let index = 0; index < resourceRules.length; index++) {
    validateNamedRule(resourceRules[index]!, `${path}.resourceRules[${index}]`, errors);
  }
  for (let index = 0; index < excludeResourceRules.length; index++) {
    validateNamedRule(excludeResourceRules[index]!, `${path}.excludeResourceRules[${index}]`, errors);
  }
}

export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  { path, hasParams = false }: { readonly path: string; readonly hasParams?: boolean },
  errors: FieldError[],
): void {
  if (conditions === undefined) return;
  if (conditions.length > maxConditions) errors.push(tooMany(path, conditions.length, maxConditions));
  const names = new Set<string>();
  for (let index = 0; index < conditions.length; index++) {
    const { name = '', expression = '' } = conditions[index]!;
    const at = `${path}[${index}]`;
    const trimmed = expression.trim();
    if (trimmed === '') errors.push(requiredValue(`${at}.expression`));
    // If there are too many conditions to compile, that error has been reported already.
    else if (index < maxConditions) {
      errors.push(...expressionError(compileCondition(trimmed, { hasParams }), `${at}.expression`));
    }
    if (name === '') {
      errors.push(requiredValue(`${at}.name`));
      continue;
    }
    for (const detail of labelKeyErrors(name)) errors.push(invalidValue(`${at}.name`, name, detail));
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
  }
}

/** Accepts an absent value. */
export function validateChoice(
  value: string | undefined,
  { path, supported }: { readonly path: string; readonly supported: readonly string[] },
  errors: FieldError[],
): void {
  if (value !== undefined && !supported.includes(value)) errors.push(notSupportedValue(path, value, supported));
}
