import { type FieldError, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { Toleration } from '../core/scheduling-types.ts';

const taintEffects = enumOf(Toleration, 'effect');
const operators = ['Equal', 'Exists'];
/** These operators belong to a feature gate that is off. */
const comparisons = ['Lt', 'Gt'];

export function validateTolerations(tolerations: readonly Toleration[] | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, toleration] of (tolerations ?? []).entries()) {
    validateToleration(toleration, `${field}[${index}]`, errors);
  }
  return errors;
}

function validateToleration(toleration: Toleration, field: string, errors: FieldError[]): void {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  if (key !== '') for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${field}.key`, key, detail));
  if (key === '' && operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidValue(`${field}.operator`, operator, detail));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalidValue(`${field}.effect`, effect, detail));
  }
  if (operator === '' || operator === 'Equal') {
    const details = labelValueErrors(value);
    if (details.length > 0) errors.push(invalidValue(`${field}.operator`, value, details.join(';')));
  } else if (operator === 'Exists') {
    if (value !== '') {
      errors.push(invalidValue(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    }
  } else {
    const supported = comparisons.includes(operator) ? [...operators, ...comparisons] : operators;
    errors.push(notSupportedValue(`${field}.operator`, operator, supported));
  }
  if (effect !== '') errors.push(...validateTaintEffect(effect, `${field}.effect`));
}

/** Rejects an empty effect. */
export function validateTaintEffect(effect: string, field: string): FieldError[] {
  return taintEffects.includes(effect) ? [] : [notSupportedValue(field, effect, taintEffects)];
}
