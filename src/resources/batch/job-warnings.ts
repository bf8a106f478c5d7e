import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { podTemplateWarnings } from '../core/pod/pod-template-validation.ts';
import { isIndexed, type JobSpec } from './job-shapes.ts';

const manyCompletions = 100_000;
const muchParallelism = 10_000;

export function jobSpecWarnings(spec: JobSpec, path: string): string[] {
  const { completions = 0, parallelism = 0 } = spec;
  const warnings = podTemplateWarnings(spec.template, `${path}.template`);
  if (!isIndexed(spec) || completions <= manyCompletions || parallelism <= muchParallelism) return warnings;
  const jobs = 'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4';
  const fear = 'Kubernetes might not be able to track completions when a big number of indexes fail';
  return [`${path}: ${jobs}, ${fear}`, ...warnings];
}

/** The name becomes part of names that must be labels. */
export function nameWarnings({ metadata }: ResourceObject): string[] {
  const problems = dnsLabelErrors(metadata.name ?? '');
  if (problems.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${advice}; a DNS label is recommended: [${problems.join(' ')}]`];
}
