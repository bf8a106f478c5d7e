import { invalidValue } from '../../meta/field-error.ts';
import type { ValidationRun, ValueCheck } from './validation-run.ts';

export interface Junctors {
  readonly anyOf: readonly ValueCheck[];
  readonly oneOf: readonly ValueCheck[];
  readonly allOf: readonly ValueCheck[];
  readonly not: ValueCheck | undefined;
}

/** Checks `anyOf`, `oneOf`, `allOf` and `not`, in this order. Returns the number of matches. */
export function checkJunctors({ anyOf, oneOf, allOf, not }: Junctors, value: unknown, run: ValidationRun): number {
  let matches = 1;
  if (anyOf.length > 0) matches += checkAnyOf(anyOf, value, run);
  if (oneOf.length > 0) matches += checkOneOf(oneOf, value, run);
  if (allOf.length > 0) matches += checkAllOf(allOf, value, run);
  if (not !== undefined && run.apart(not, value).errors.length === 0) fail(run, 'not validate the schema (not)');
  return matches;
}

type Result = ReturnType<ValidationRun['apart']>;

/** Of several alternatives that fail, the errors of the one with the most matches are reported. */
function better(best: Result | undefined, result: Result): Result {
  return best === undefined || result.matches > best.matches ? result : best;
}

function checkAnyOf(alternatives: readonly ValueCheck[], value: unknown, run: ValidationRun): number {
  let best: Result | undefined;
  for (const alternative of alternatives) {
    const result = run.apart(alternative, value);
    if (result.errors.length === 0) return result.matches;
    best = better(best, result);
  }
  fail(run, 'validate at least one schema (anyOf)');
  return merge(run, best);
}

function checkOneOf(alternatives: readonly ValueCheck[], value: unknown, run: ValidationRun): number {
  let best: Result | undefined;
  let first: Result | undefined;
  let valid = 0;
  for (const alternative of alternatives) {
    const result = run.apart(alternative, value);
    if (result.errors.length === 0) {
      valid++;
      first ??= result;
    } else best = better(best, result);
  }
  if (valid === 1) return first!.matches;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  fail(run, `validate one and only one schema (oneOf). ${found}`);
  return valid === 0 ? merge(run, best) : 0;
}

function checkAllOf(parts: readonly ValueCheck[], value: unknown, run: ValidationRun): number {
  let matches = 0;
  let valid = 0;
  for (const part of parts) {
    const result = run.apart(part, value);
    if (result.errors.length === 0) valid++;
    matches += merge(run, result);
  }
  if (valid < parts.length) {
    fail(run, `validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }
  return matches;
}

function merge(run: ValidationRun, result: Result | undefined): number {
  for (const error of result?.errors ?? []) run.add(error);
  return result?.matches ?? 0;
}

function fail(run: ValidationRun, text: string): void {
  run.add(invalidValue(run.general, '', `"${run.name}" must ${text}`));
}
