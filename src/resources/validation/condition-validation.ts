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
import type { Condition } from '../../schema/meta-types.ts';

const statuses = ['False', 'True', 'Unknown'];
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonSyntax = new RegExp(`^${reasonPattern}$`);
const notReason = patternDetail(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonPattern,
  ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
);
const maxReasonLength = 1024;
const maxMessageLength = 32 * 1024;

export function validateConditions(conditions: readonly Condition[] | undefined, field: string): FieldError[] {
  const types = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, condition] of (conditions ?? []).entries()) {
    const path = `${field}[${index}]`;
    const { type = '' } = condition;
    if (types.has(type)) errors.push(duplicateValue(`${path}.type`, type));
    types.add(type);
    validateCondition(condition, path, errors);
  }
  return errors;
}

function validateCondition(condition: Condition, path: string, errors: FieldError[]): void {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition;
  for (const detail of labelKeyErrors(type)) errors.push(invalidValue(`${path}.type`, type, detail));
  if (!statuses.includes(status)) errors.push(notSupportedValue(`${path}.status`, status, statuses));
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalidValue(`${path}.observedGeneration`, observedGeneration, detail));
  }
  if (!lastTransitionTime) errors.push(requiredValue(`${path}.lastTransitionTime`));
  if (reason === '') errors.push(requiredValue(`${path}.reason`));
  else if (!reasonSyntax.test(reason)) errors.push(invalidValue(`${path}.reason`, reason, notReason));
  if (Buffer.byteLength(reason) > maxReasonLength) errors.push(tooLong(`${path}.reason`, maxReasonLength));
  if (Buffer.byteLength(message) > maxMessageLength) errors.push(tooLong(`${path}.message`, maxMessageLength));
}
