import { tooLong } from '../../meta/field-error.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import { type Check, pathOf, valueError } from './value-error.ts';

export function checkString(value: string, schema: JsonSchema, { at, errors }: Check): void {
  const { maxLength, minLength, pattern } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(pathOf(at), maxLength));
  if (minLength !== undefined && length < minLength) {
    errors.push(valueError(value, { at, text: `should be at least ${minLength} chars long` }));
  }
  if (pattern !== undefined && !matches(value, pattern)) {
    errors.push(valueError(value, { at, text: `should match '${pattern}'` }));
  }
}

/** A pattern that JavaScript cannot compile matches everything. */
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

export function checkNumber(value: number, schema: JsonSchema, { at, errors }: Check): void {
  const { maximum, minimum, multipleOf, exclusiveMaximum, exclusiveMinimum } = schema;
  if (multipleOf !== undefined && multipleOf > 0 && !Number.isInteger(value / multipleOf)) {
    errors.push(valueError(value, { at, text: `should be a multiple of ${multipleOf}` }));
  }
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum === true && value === maximum))) {
    const relation = exclusiveMaximum === true ? 'less than' : 'less than or equal to';
    errors.push(valueError(value, { at, text: `should be ${relation} ${maximum}` }));
  }
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum === true && value === minimum))) {
    const relation = exclusiveMinimum === true ? 'greater than' : 'greater than or equal to';
    errors.push(valueError(value, { at, text: `should be ${relation} ${minimum}` }));
  }
}
