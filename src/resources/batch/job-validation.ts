import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { isIndexed } from './is-indexed.ts';
import { hasPrefixedLabels, validateGeneratedSelector } from './job-selector.ts';
import { validateJobSpec } from './job-spec-validation.ts';
import type { Job, JobSpec } from './job-types.ts';

export function validateJob(object: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const { metadata, spec = {} } = object as Job;
  const options = oldObject === undefined ? {} : { requirePrefixedLabels: hasPrefixedLabels(oldObject) };
  return [
    ...validateGeneratedSelector(object, options),
    ...validateJobSpec(spec, 'spec'),
    ...hostnameErrors(metadata.name ?? '', spec),
  ];
}

/** The hostname of a pod is the name of the job with the index of the pod. */
function hostnameErrors(name: string, spec: JobSpec): FieldError[] {
  const { completions = 0 } = spec;
  if (!isIndexed(spec) || completions <= 0) return [];
  const longestName = `${name}-${completions - 1}`;
  if (dnsLabelErrors(longestName).length === 0) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longestName}`)];
}
