import { type FieldError, invalidValue, requiredValue, tooLong, tooMany } from '../../meta/field-error.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { countIndexes, indexProblem } from './index-intervals.ts';
import type { JobSpec, SuccessPolicyRule } from './job-types.ts';

const maxRules = 20;
const maxIndexesLength = 64 * 1024;

/** Called only for indexed jobs. */
export function validateSuccessPolicy({ successPolicy, completions = 0 }: JobSpec, path: string): FieldError[] {
  const rules = successPolicy?.rules ?? [];
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    errors.push(requiredValue(`${path}.rules`, detail));
  }
  if (rules.length > maxRules) errors.push(tooMany(`${path}.rules`, rules.length, maxRules));
  for (const [index, rule] of rules.entries()) errors.push(...ruleErrors(rule, `${path}.rules[${index}]`, completions));
  return errors;
}

function ruleErrors(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  path: string,
  completions: number,
): FieldError[] {
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(requiredValue(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  let named: number | undefined;
  if (succeededIndexes !== undefined) {
    const field = `${path}.succeededIndexes`;
    if (Buffer.byteLength(succeededIndexes) > maxIndexesLength) errors.push(tooLong(field, maxIndexesLength));
    const problem = indexProblem(succeededIndexes, completions);
    named = problem === undefined ? countIndexes(succeededIndexes, completions) : 0;
    if (problem !== undefined) {
      errors.push(invalidValue(field, succeededIndexes, `error parsing succeededIndexes: ${problem}`));
    }
  }
  if (succeededCount === undefined) return errors;
  const field = `${path}.succeededCount`;
  errors.push(...validateNonNegative(succeededCount, field));
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalidValue(field, succeededCount, detail));
  }
  if (named !== undefined && succeededCount > named) {
    const what = 'the number of indexes in the specified succeededIndexes field';
    errors.push(invalidValue(field, succeededCount, `must be less than or equal to ${named} (${what})`));
  }
  return errors;
}
