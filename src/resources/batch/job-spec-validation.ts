import { type FieldError, invalidValue, notSupportedValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { unselectedLabels } from '../apps/controlled-template.ts';
import { validatePodTemplate } from '../core/pod/pod-template-validation.ts';
import { validateDomainPrefixedPath } from '../validation/domain-prefixed-path.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { validateIndexedJob } from './indexed-job-validation.ts';
import { isIndexed } from './is-indexed.ts';
import { matchesSelector } from './job-selector.ts';
import { JobSpec, SuccessPolicy } from './job-types.ts';
import { validatePodFailurePolicy } from './pod-failure-policy-validation.ts';
import { validateSuccessPolicy } from './success-policy-validation.ts';

const maxManagedByLength = 63;
const completionModes = enumOf(JobSpec, 'completionMode');
const replacementPolicies = enumOf(JobSpec, 'podReplacementPolicy');
const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** Validates the spec of a job that has its selector. */
export function validateJobSpec(spec: JobSpec, path: string): FieldError[] {
  const { selector, template } = spec;
  const errors = validateJobTemplateSpec(spec, path);
  if (selector === undefined) errors.push(requiredValue(`${path}.selector`));
  else errors.push(...validateLabelSelector(selector, `${path}.selector`));
  const metadata = template?.metadata;
  // A missing selector matches nothing.
  if (selector === undefined || matchesSelector(selector, metadata?.labels) === false) {
    errors.push(unselectedLabels(metadata, `${path}.template`));
  }
  return errors;
}

/** Validates the fields that a job and the job template of a CronJob share. */
export function validateJobTemplateSpec(spec: JobSpec, path: string): FieldError[] {
  const errors = [
    ...counts.flatMap((count) => validateNonNegative(spec[count], `${path}.${count}`)),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [requiredValue(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...managedByErrors(spec.managedBy, `${path}.managedBy`),
    ...completionErrors(spec, path),
  ];
  if (spec.podFailurePolicy !== undefined) errors.push(...validatePodFailurePolicy(spec, `${path}.podFailurePolicy`));
  errors.push(
    ...successPolicyErrors(spec, `${path}.successPolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplate(spec.template, `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  );
  return errors;
}

function managedByErrors(managedBy: string | undefined, field: string): FieldError[] {
  if (managedBy === undefined) return [];
  const errors = validateDomainPrefixedPath(managedBy, field);
  if (Buffer.byteLength(managedBy) > maxManagedByLength) errors.push(tooLong(field, maxManagedByLength));
  return errors;
}

function completionErrors(spec: JobSpec, path: string): FieldError[] {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  if (mode !== undefined && !completionModes.includes(mode)) {
    errors.push(notSupportedValue(`${path}.completionMode`, mode, completionModes));
  }
  if (isIndexed(spec)) errors.push(...validateIndexedJob(spec, path));
  if (mode === undefined || mode === 'NonIndexed') {
    const detail = 'requires indexed completion mode';
    if (backoffLimitPerIndex !== undefined) {
      errors.push(invalidValue(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, detail));
    }
    if (maxFailedIndexes !== undefined) errors.push(invalidValue(`${path}.maxFailedIndexes`, maxFailedIndexes, detail));
  }
  return errors;
}

function successPolicyErrors(spec: JobSpec, path: string): FieldError[] {
  if (spec.successPolicy === undefined) return [];
  if (isIndexed(spec)) return validateSuccessPolicy(spec, path);
  return [invalidValue(path, internalValue(SuccessPolicy, spec.successPolicy), 'requires indexed completion mode')];
}

/** A pod failure policy needs pods to be completely terminated. */
function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const supported = podFailurePolicy === undefined ? replacementPolicies : ['Failed'];
  return policy === undefined || supported.includes(policy) ? [] : [notSupportedValue(field, policy, supported)];
}

const jobRestartPolicies = ['OnFailure', 'Never'];

/** `Always`, the default restart policy of pods, is not allowed in a job. */
function restartErrors({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const policy = template?.spec?.restartPolicy;
  if (policy === undefined || policy === 'Always') {
    return [requiredValue(field, 'valid values: "OnFailure", "Never"')];
  }
  if (!jobRestartPolicies.includes(policy)) return [notSupportedValue(field, policy, jobRestartPolicies)];
  if (podFailurePolicy === undefined || policy === 'Never') return [];
  return [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
