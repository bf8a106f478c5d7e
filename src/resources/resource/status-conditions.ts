import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooLong,
} from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { patternDetail } from '../../meta/names.ts';
import { printable } from '../core/persistent-volume/internal-form.ts';

export interface StatusCondition {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const statuses = ['False', 'True', 'Unknown'];
const longestReason = 1024;
const longestMessage = 32 * 1024;
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonSyntax = new RegExp(`^${reasonPattern}$`);
const notReason = patternDetail(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonPattern,
  ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
);

export function validateStatusConditions(conditions: readonly StatusCondition[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const { type = '' } = condition;
    const at = `${field}[${index}]`;
    if (types.has(type)) errors.push(duplicateValue(`${at}.type`, type));
    types.add(type);
    errors.push(...validateCondition(condition, at));
  }
  return errors;
}

function validateCondition(condition: StatusCondition, field: string): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition;
  const errors = labelKeyErrors(type).map((detail) => invalidValue(`${field}.type`, type, detail));
  if (!statuses.includes(status)) errors.push(notSupportedValue(`${field}.status`, status, statuses));
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalidValue(`${field}.observedGeneration`, printable(observedGeneration), detail));
  }
  if (!lastTransitionTime) errors.push(requiredValue(`${field}.lastTransitionTime`, 'must be set'));
  if (reason === '') errors.push(requiredValue(`${field}.reason`, 'must be set'));
  else {
    if (!reasonSyntax.test(reason)) errors.push(invalidValue(`${field}.reason`, reason, notReason));
    if (Buffer.byteLength(reason) > longestReason) errors.push(tooLong(`${field}.reason`, longestReason));
  }
  if (Buffer.byteLength(message) > longestMessage) errors.push(tooLong(`${field}.message`, longestMessage));
  return errors;
}
