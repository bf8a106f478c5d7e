import { podTemplateWarnings } from '../core/pod/pod-template-validation.ts';
import { isIndexed } from './is-indexed.ts';
import type { JobSpec } from './job-types.ts';

const manyCompletions = 100_000;
const muchParallelism = 10_000;

export function jobSpecWarnings(spec: JobSpec, path: string): string[] {
  const { completions = 0, parallelism = 0 } = spec;
  const warnings = podTemplateWarnings(spec.template, `${path}.template`);
  if (!isIndexed(spec) || completions <= manyCompletions || parallelism <= muchParallelism) return warnings;
  const jobs = 'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4';
  const risk = 'Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [`${path}: ${jobs}, ${risk}`, ...warnings];
}
