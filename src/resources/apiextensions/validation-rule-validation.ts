import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { findField } from '../../schema/structural/field-path.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import { ValidationRule } from './json-schema-types.ts';

const reasons = enumOf(ValidationRule, 'reason');
const lineBreak = /[\n\r]/;

/** Adds the errors in rules that do not concern their expressions to `errors`. */
export function validateRules(schema: JsonSchema, path: string, errors: FieldError[]): void {
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    validateTexts(rule, at, errors);
    validateFieldPath(rule.fieldPath ?? '', { schema, path: `${at}.fieldPath` }, errors);
  }
}

function validateTexts(rule: ValidationRule, path: string, errors: FieldError[]): void {
  const { message = '', messageExpression = '', reason } = rule;
  const expression = rule.rule?.trim() ?? '';
  const text = message.trim();
  if (expression === '') errors.push(requiredValue(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && text === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (lineBreak.test(text)) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  } else if (lineBreak.test(expression) && text === '') {
    errors.push(requiredValue(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(requiredValue(`${path}.messageExpression`, 'must be non-empty if specified'));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupportedValue(`${path}.reason`, reason, reasons));
  }
}

function validateFieldPath(text: string, { schema, path }: { schema: JsonSchema; path: string }, errors: FieldError[]) {
  if (text === '') return;
  if (text.trim() === '') errors.push(invalidValue(path, text, 'must be non-empty if specified'));
  if (lineBreak.test(text)) errors.push(invalidValue(path, text, 'must not contain line breaks'));
  if (typeof findField(text, schema, { indexes: true }) === 'string') {
    errors.push(invalidValue(path, text, 'must be a valid path'));
  }
}
