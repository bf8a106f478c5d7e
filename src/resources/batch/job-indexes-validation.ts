import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { commonIndex, indexProblem } from './index-intervals.ts';
import { isIndexed } from './is-indexed.ts';
import type { JobSpec, JobStatus } from './job-types.ts';

const completedField = 'status.completedIndexes';
const failedField = 'status.failedIndexes';

/** Validates the indexes in a status that have changed. */
export function validateJobIndexes(status: JobStatus, previous: JobStatus, spec: JobSpec): FieldError[] {
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  const { completions, backoffLimitPerIndex } = spec;
  const completedChanged = completed !== (previous.completedIndexes ?? '');
  const failedChanged = failed !== previous.failedIndexes;
  const errors: FieldError[] = [];
  if (completedChanged && completions !== undefined) {
    errors.push(...syntaxErrors(completed, completedField, completions));
  }
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failed !== undefined) {
    errors.push(...syntaxErrors(failed, failedField, completions));
  }
  if (completedChanged && completed !== '' && !isIndexed(spec)) {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalidValue(completedField, completed, detail));
  }
  if (failedChanged && failed !== undefined && backoffLimitPerIndex === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalidValue(failedField, failed, detail));
  }
  if ((completedChanged || failedChanged) && completions !== undefined && failed !== undefined) {
    const common = commonIndex(completed, failed, completions);
    if (common !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${common}`;
      errors.push(invalidValue(failedField, failed, detail));
    }
  }
  return errors;
}

function syntaxErrors(text: string, field: string, completions: number): FieldError[] {
  const problem = indexProblem(text, completions);
  const name = field.slice(field.indexOf('.') + 1);
  return problem === undefined ? [] : [invalidValue(field, text, `error parsing ${name}: ${problem}`)];
}
