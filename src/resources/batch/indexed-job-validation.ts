import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { JobSpec } from './job-types.ts';

const maxParallelism = 100_000;
const maxFailedIndexes = 100_000;
/** Above this number of completions lower limits apply, so that the indexes fit into the status. */
const manyCompletions = 100_000;
const maxParallelismOfMany = 10_000;
const maxFailedIndexesOfMany = 10_000;

export function validateIndexedJob(spec: JobSpec, path: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes: failed = 0, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const beyond = (name: 'parallelism' | 'maxFailedIndexes', bound: string) =>
    errors.push(invalidValue(`${path}.${name}`, spec[name], `must be less than or equal to ${bound}`));
  if (completions === undefined) errors.push(requiredValue(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > maxParallelism) beyond('parallelism', `${maxParallelism} when completion mode is Indexed`);
  if (completions !== undefined && failed > completions) beyond('maxFailedIndexes', 'completions');
  if (failed > maxFailedIndexes) beyond('maxFailedIndexes', `${maxFailedIndexes}`);
  if ((completions ?? 0) <= manyCompletions || backoffLimitPerIndex === undefined) return errors;
  const condition = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (spec.maxFailedIndexes === undefined) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    errors.push(requiredValue(`${path}.maxFailedIndexes`, detail));
  }
  if (parallelism > maxParallelismOfMany) beyond('parallelism', `${maxParallelismOfMany} ${condition}`);
  if (failed > maxFailedIndexesOfMany) beyond('maxFailedIndexes', `${maxFailedIndexesOfMany} ${condition}`);
  return errors;
}
