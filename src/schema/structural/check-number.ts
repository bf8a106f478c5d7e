import { invalidValue } from '../../meta/field-error.ts';
import { goFloat, isGoInteger } from '../../meta/go-number.ts';
import { isNearInteger } from './near-integer.ts';
import type { ValidationRun } from './validation-run.ts';

/** TypeScript's library does not declare `JSON.rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

const maxInt32 = 2 ** 31 - 1;
const maxFloat32 = (2 - 2 ** -23) * 2 ** 127;

/** Checks the range of a number and its constraints. */
export function checkNumber(value: number | bigint, schema: NumberSchema, run: ValidationRun): void {
  const { multipleOf, minimum, maximum } = schema;
  if (!fits(value, schema)) addRangeError('Checked', schema, run);
  if (multipleOf !== undefined) {
    if (!fits(multipleOf, schema)) addRangeError('MultipleOf', schema, run);
    checkMultiple(value, multipleOf, run);
  }
  if (minimum !== undefined) {
    const exact = fits(minimum, schema);
    if (!exact) addRangeError('Minimum boundary', schema, run);
    const bound = exact && isGoInteger(value) ? Math.trunc(minimum) : minimum;
    const excluded = schema.exclusiveMinimum === true;
    if (value < bound || (excluded && Number(value) === bound)) {
      add(run, value, `should be greater than ${excluded ? '' : 'or equal to '}${boundText(value, bound)}`);
    }
  }
  if (maximum !== undefined) {
    const exact = fits(maximum, schema);
    if (!exact) addRangeError('Maximum boundary', schema, run);
    const bound = exact && isGoInteger(value) ? Math.trunc(maximum) : maximum;
    const excluded = schema.exclusiveMaximum === true;
    if (value > bound || (excluded && Number(value) === bound)) {
      add(run, value, `should be less than ${excluded ? '' : 'or equal to '}${boundText(value, bound)}`);
    }
  }
}

export interface NumberSchema {
  readonly type: string;
  readonly format: string;
  readonly multipleOf: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean | undefined;
  readonly exclusiveMaximum: boolean | undefined;
}

/** Whether the type and format have constraints on numbers at all. Most integers have none. */
export function constrainsNumbers(schema: NumberSchema): boolean {
  const { type, format, multipleOf, minimum, maximum } = schema;
  if (type === 'integer' || format === 'float') return true;
  return multipleOf !== undefined || minimum !== undefined || maximum !== undefined;
}

/** Reports a number, or a bound in the schema, that does not fit the type and the format. */
function addRangeError(what: string, { type, format }: NumberSchema, run: ValidationRun): void {
  const wanted = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  run.add(() => invalidValue(run.general, '', `${what} value must be of type ${wanted} in ${run.name}`));
}

function fits(value: number | bigint, { type, format }: NumberSchema): boolean {
  if (type !== 'integer') return format !== 'float' || Math.abs(Number(value)) <= maxFloat32;
  if (!isGoInteger(value)) return false;
  return format !== 'int32' || (value <= maxInt32 && value >= -maxInt32 - 1);
}

/** An integer was compared with the integer part of the bound, if the bound fits the type. */
function boundText(value: number | bigint, bound: number): string {
  return isGoInteger(value) && Number.isInteger(bound) ? String(BigInt(bound)) : goFloat(bound);
}

function checkMultiple(value: number | bigint, factor: number, run: ValidationRun): void {
  if (factor < 0) {
    const text = () => `factor MultipleOf declared for ${run.name} must be positive: ${goFloat(factor)}`;
    run.add(() => invalidValue(run.field, printedNumber(factor), text()));
    return;
  }
  if (isGoInteger(value) && Number.isInteger(factor) && factor > 0) {
    if (BigInt(value) % BigInt(factor) !== 0n) add(run, value, `should be a multiple of ${BigInt(factor)}`);
    return;
  }
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  if (!isNearInteger(quotient)) add(run, value, `should be a multiple of ${goFloat(factor)}`);
}

function add(run: ValidationRun, value: number | bigint, text: string): void {
  run.add(() => invalidValue(run.field, printedNumber(value), `${run.name} in body ${text}`));
}

/** Formats a number for an error: Go prints integers and floating point numbers differently. */
function printedNumber(value: number | bigint): unknown {
  return isGoInteger(value) ? value : rawJSON(goFloat(Number(value)));
}
