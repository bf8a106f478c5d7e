import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import type { JsonSchema, ValidationRule } from '../../schema/structural/json-schema.ts';
import { celLiteralType } from '../admissionregistration/cel-literal.ts';
import { internalForm } from '../validation/internal-form.ts';
import { findField } from './field-path.ts';
import { ValidationRule as ValidationRuleSchema } from './json-schema-types.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** Adds the errors that do not concern CEL to `errors`, and returns those about the expressions. */
export function validateRules(schema: JsonSchema, path: string, errors: FieldError[]): FieldError[] {
  const expressionErrors: FieldError[] = [];
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    validateTexts(rule, at, errors);
    validateFieldPath(rule.fieldPath ?? '', { schema, path: `${at}.fieldPath` }, errors);
    expressionErrors.push(...literalErrors(rule, at));
  }
  return expressionErrors;
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
    errors.push(requiredValue(`${path}.message`, 'must be specified if rule contains line breaks'));
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

/** Only expressions that are a single literal are type-checked. */
function literalErrors(rule: ValidationRule, path: string): FieldError[] {
  const { rule: expression = '', messageExpression = '' } = rule;
  const errors: FieldError[] = [];
  if ((celLiteralType(expression.trim()) ?? 'bool') !== 'bool') {
    errors.push(
      invalidValue(`${path}.rule`, internalForm(ValidationRuleSchema, rule), 'cel expression must evaluate to a bool'),
    );
  }
  if ((celLiteralType(messageExpression.trim()) ?? 'string') !== 'string') {
    const detail = 'messageExpression must evaluate to a string';
    errors.push(invalidValue(`${path}.messageExpression`, internalForm(ValidationRuleSchema, rule), detail));
  }
  return errors;
}
