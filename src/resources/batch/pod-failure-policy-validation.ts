import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooMany,
} from '../../meta/field-error.ts';
import { goQuoteList } from '../../meta/go-quote.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { invalidWithoutValue } from '../validation/invalid-without-value.ts';
import {
  type JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  type PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from './job-types.ts';

const maxRules = 20;
const maxPatterns = 20;
const maxExitCodes = 255;
const actions = enumOf(PodFailurePolicyRule, 'action');
const operators = enumOf(PodFailurePolicyOnExitCodesRequirement, 'operator');
const statuses = ['False', 'True', 'Unknown'];

export function validatePodFailurePolicy(spec: JobSpec, path: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const errors: FieldError[] = [];
  if (rules.length > maxRules) errors.push(tooMany(`${path}.rules`, rules.length, maxRules));
  for (const [index, rule] of rules.entries()) errors.push(...ruleErrors(rule, `${path}.rules[${index}]`, spec));
  return errors;
}

function ruleErrors(rule: PodFailurePolicyRule, path: string, spec: JobSpec): FieldError[] {
  const { onExitCodes, onPodConditions = [] } = rule;
  const errors = actionErrors(rule.action ?? '', `${path}.action`, spec);
  if (onExitCodes !== undefined) errors.push(...exitCodeErrors(onExitCodes, `${path}.onExitCodes`, spec));
  if (onPodConditions.length > 0) errors.push(...patternErrors(onPodConditions, `${path}.onPodConditions`));
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    errors.push(invalidWithoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    errors.push(invalidWithoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return errors;
}

function actionErrors(action: string, field: string, { backoffLimitPerIndex }: JobSpec): FieldError[] {
  if (action !== 'FailIndex') return choiceErrors(action, field, actions);
  if (backoffLimitPerIndex !== undefined) return [];
  return [invalidValue(field, action, 'requires the backoffLimitPerIndex to be set')];
}

function choiceErrors(value: string, field: string, choices: readonly string[]): FieldError[] {
  if (choices.includes(value)) return [];
  if (value !== '') return [notSupportedValue(field, value, choices)];
  return [requiredValue(field, `valid values: ${goQuoteList(choices)}`)];
}

function exitCodeErrors(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  path: string,
  spec: JobSpec,
): FieldError[] {
  const { containerName, operator = '' } = requirement;
  const values = requirement.values ?? [];
  const errors = choiceErrors(operator, `${path}.operator`, operators);
  if (containerName !== undefined && !hasContainer(spec, containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalidValue(`${path}.containerName`, containerName, detail));
  }
  const field = `${path}.values`;
  if (values.length === 0) errors.push(invalidValue(field, values, 'at least one value is required'));
  else if (values.length > maxExitCodes) errors.push(tooMany(field, values.length, maxExitCodes));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      errors.push(invalidValue(`${field}[${index}]`, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicateValue(`${field}[${index}]`, value));
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && values[index - 1]! > value)) {
    errors.push(invalidValue(field, values, 'must be ordered'));
  }
  return errors;
}

function hasContainer({ template }: JobSpec, wanted: string): boolean {
  const { containers, initContainers } = template?.spec ?? {};
  return [...(containers ?? []), ...(initContainers ?? [])].some(({ name }) => name === wanted);
}

function patternErrors(patterns: readonly PodFailurePolicyOnPodConditionsPattern[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (patterns.length > maxPatterns) errors.push(tooMany(path, patterns.length, maxPatterns));
  for (const [index, { type = '', status = '' }] of patterns.entries()) {
    for (const detail of labelKeyErrors(type)) errors.push(invalidValue(`${path}[${index}].type`, type, detail));
    errors.push(...choiceErrors(status, `${path}[${index}].status`, statuses));
  }
  return errors;
}
