import { invalidValue } from '../../meta/field-error.ts';
import { uncorrelated, type ValidationRun, type ValueCheck } from './validation-run.ts';

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
  if (not !== undefined && run.attempt(not, value).valid) fail(run, 'not validate the schema (not)');
  return matches;
}

/** If several alternatives fail, the errors of the first one with the most matches are reported. */
interface Best {
  readonly alternative: ValueCheck;
  readonly matches: number;
}

function checkAnyOf(alternatives: readonly ValueCheck[], value: unknown, run: ValidationRun): number {
  let best: Best | undefined;
  for (const alternative of alternatives) {
    const { valid, matches } = run.attempt(alternative, value);
    if (valid) return matches;
    if (best === undefined || matches > best.matches) best = { alternative, matches };
  }
  fail(run, 'validate at least one schema (anyOf)');
  return best?.alternative.check(value, uncorrelated, run) ?? 0;
}

function checkOneOf(alternatives: readonly ValueCheck[], value: unknown, run: ValidationRun): number {
  let best: Best | undefined;
  let first: number | undefined;
  let count = 0;
  for (const alternative of alternatives) {
    const { valid, matches } = run.attempt(alternative, value);
    if (valid) {
      count++;
      first ??= matches;
    } else if (best === undefined || matches > best.matches) best = { alternative, matches };
  }
  if (count === 1) return first ?? 0;
  const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
  fail(run, `validate one and only one schema (oneOf). ${found}`);
  return count > 0 ? 0 : (best?.alternative.check(value, uncorrelated, run) ?? 0);
}

function checkAllOf(checks: readonly ValueCheck[], value: unknown, run: ValidationRun): number {
  let matches = 0;
  let valid = 0;
  for (const check of checks) {
    const before = run.count;
    matches += check.check(value, uncorrelated, run);
    if (run.count === before) valid++;
  }
  if (valid < checks.length) {
    fail(run, `validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }
  return matches;
}

function fail(run: ValidationRun, text: string): void {
  run.add(() => invalidValue(run.general, '', `"${run.name}" must ${text}`));
}
