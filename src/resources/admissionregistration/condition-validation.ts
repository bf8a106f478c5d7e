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

/** A condition of the shape that newer types share. */
export interface ConditionValue {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const statuses = ['False', 'True', 'Unknown'];
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonSyntax = new RegExp(`^${reasonPattern}$`);
const notReason = patternDetail(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonPattern,
  ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
);
const maximumReason = 1024;
const maximumMessage = 32 * 1024;

export function validateConditions(conditions: readonly ConditionValue[], path: string, errors: FieldError[]): void {
  const types = new Set<string>();
  for (let index = 0; index < conditions.length; index++) {
    const condition = conditions[index]!;
    const { type = '' } = condition;
    const at = `${path}[${index}]`;
    if (types.has(type)) errors.push(duplicateValue(`${at}.type`, type));
    types.add(type);
    validateCondition(condition, at, errors);
  }
}

function validateCondition(condition: ConditionValue, path: string, errors: FieldError[]): void {
  const { type = '', status = '', observedGeneration = 0, reason = '', message = '' } = condition;
  for (const detail of labelKeyErrors(type)) errors.push(invalidValue(`${path}.type`, type, detail));
  if (!statuses.includes(status)) errors.push(notSupportedValue(`${path}.status`, status, statuses));
  if (observedGeneration < 0) {
    errors.push(
      invalidValue(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
    );
  }
  if (!condition.lastTransitionTime) errors.push(requiredValue(`${path}.lastTransitionTime`));
  if (reason === '') errors.push(requiredValue(`${path}.reason`));
  else {
    if (!reasonSyntax.test(reason)) errors.push(invalidValue(`${path}.reason`, reason, notReason));
    if (Buffer.byteLength(reason) > maximumReason) errors.push(tooLong(`${path}.reason`, maximumReason));
  }
  if (Buffer.byteLength(message) > maximumMessage) errors.push(tooLong(`${path}.message`, maximumMessage));
}
