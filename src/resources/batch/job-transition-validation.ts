import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { exactSeconds } from '../../schema/exact-time.ts';
import { invalidWithoutValue } from '../validation/invalid-without-value.ts';
import { isIndexed } from './is-indexed.ts';
import { isConditionTrue } from './job-condition.ts';
import type { Job, JobSpec, JobStatus } from './job-types.ts';

const conditionsField = 'status.conditions';

/** Validates the changes of a status that may not be reverted. */
export function validateJobTransition({ spec = {}, status = {} }: Job, { status: previous = {} }: Job): FieldError[] {
  const errors: FieldError[] = [];
  for (const type of ['Failed', 'Complete', 'FailureTarget'] as const) {
    if (!isConditionTrue(previous, type) || isConditionTrue(status, type)) continue;
    errors.push(invalidWithoutValue(conditionsField, `cannot disable the terminal ${type}=True condition`));
  }
  const { failed = 0, succeeded = 0, completionTime, startTime } = status;
  if (failed < (previous.failed ?? 0)) {
    errors.push(invalidValue('status.failed', failed, 'cannot decrease the failed counter'));
  }
  if (succeeded < (previous.succeeded ?? 0) && !canShrink(spec)) {
    errors.push(invalidValue('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  }
  const isSet = completionTime !== undefined && previous.completionTime !== undefined;
  if (isSet && isTimeChanged('completionTime', status, previous)) {
    errors.push(invalidValue('status.completionTime', completionTime, 'field is immutable'));
  }
  if (previous.startTime !== undefined && isTimeChanged('startTime', status, previous) && !spec.suspend) {
    errors.push(invalidValue('status.startTime', startTime, 'field is immutable for unsuspended job once set'));
  }
  const met = isConditionTrue(status, 'SuccessCriteriaMet');
  const wasMet = isConditionTrue(previous, 'SuccessCriteriaMet');
  if (wasMet && !met) {
    errors.push(invalidWithoutValue(conditionsField, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (isConditionTrue(previous, 'Complete') && !wasMet && met) {
    const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    errors.push(invalidWithoutValue(conditionsField, detail));
  }
  return errors;
}

export function isTimeChanged(field: 'startTime' | 'completionTime', status: JobStatus, previous: JobStatus): boolean {
  return exactSeconds(status, field) !== exactSeconds(previous, field);
}

/** The succeeded count of an elastic job may decrease, because its completions may. */
function canShrink(spec: JobSpec): boolean {
  return isIndexed(spec) && spec.completions === spec.parallelism;
}
