import { duplicateValue, type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { exactSeconds } from '../../schema/exact-time.ts';
import { internalValue } from '../validation/internal-value.ts';
import { invalidWithoutValue } from '../validation/invalid-without-value.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { isConditionTrue, isFinished, type JobConditionType } from './job-condition.ts';
import { validateJobIndexes } from './job-indexes-validation.ts';
import { isTimeChanged, validateJobTransition } from './job-transition-validation.ts';
import type { Job, JobStatus } from './job-types.ts';
import { UncountedTerminatedPods } from './job-types.ts';

/**
 * Each rule runs only when a field that it covers has changed. An error that existed before, or that a change of the
 * spec caused, must not prevent a controller from writing the rest of the status.
 */
export function validateJobStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const job = next as Job;
  const { status = {}, spec = {} } = job;
  const previous = (oldObject as Job).status ?? {};
  return [
    ...countErrors(status),
    ...completionErrors(status, previous),
    ...finishErrors(job, previous),
    ...validateJobIndexes(status, previous, spec),
    ...podErrors(status, previous),
    ...successErrors(job),
    ...validateJobTransition(job, oldObject as Job),
  ];
}

const conditionsField = 'status.conditions';

function countErrors({
  active,
  succeeded,
  failed,
  ready,
  terminating,
  uncountedTerminatedPods,
}: JobStatus): FieldError[] {
  return [
    ...validateNonNegative(active, 'status.active'),
    ...validateNonNegative(succeeded, 'status.succeeded'),
    ...validateNonNegative(failed, 'status.failed'),
    ...validateNonNegative(ready, 'status.ready'),
    ...validateNonNegative(terminating, 'status.terminating'),
    ...uncountedErrors(uncountedTerminatedPods),
  ];
}

function uncountedErrors(pods: JobStatus['uncountedTerminatedPods'] = {}): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (pods[list] ?? []).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') return [invalidValue(field, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicateValue(field, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function completionErrors(status: JobStatus, previous: JobStatus): FieldError[] {
  const { completionTime } = status;
  const changed = (type: JobConditionType) => isConditionTrue(status, type) !== isConditionTrue(previous, type);
  const complete = isConditionTrue(status, 'Complete');
  const failed = isConditionTrue(status, 'Failed');
  const failing = isConditionTrue(status, 'FailureTarget');
  const timeChanged = isTimeChanged('completionTime', status, previous);
  const field = 'status.completionTime';
  const errors: FieldError[] = [];
  const contradiction = (detail: string) => errors.push(invalidWithoutValue(conditionsField, detail));
  if ((changed('Complete') || changed('Failed')) && complete && failed) {
    contradiction('cannot set Complete=True and Failed=true conditions');
  }
  if ((changed('Complete') || changed('FailureTarget')) && complete && failing) {
    contradiction('cannot set Complete=True and FailureTarget=true conditions');
  }
  if (changed('Complete') || timeChanged) {
    if (completionTime !== undefined && !complete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalidValue(field, completionTime, detail));
    }
    if (completionTime === undefined && complete) {
      errors.push(requiredValue(field, 'completionTime is required for Complete jobs'));
    }
  }
  if ((timeChanged || isTimeChanged('startTime', status, previous)) && endsBeforeStart(status)) {
    errors.push(invalidValue(field, completionTime, 'must be equal to or after `startTime`'));
  }
  if ((changed('Failed') || changed('FailureTarget')) && failed && !failing) {
    contradiction('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  const met = isConditionTrue(status, 'SuccessCriteriaMet');
  if ((changed('Complete') || changed('SuccessCriteriaMet')) && complete && !met) {
    contradiction('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  return errors;
}

function endsBeforeStart(status: JobStatus): boolean {
  const start = exactSeconds(status, 'startTime');
  const end = exactSeconds(status, 'completionTime');
  return start !== undefined && end !== undefined && end < start;
}

function finishErrors({ spec, status = {} }: Job, previous: JobStatus): FieldError[] {
  if (!isFinished(status)) return [];
  const { active = 0, startTime, uncountedTerminatedPods: pods } = status;
  const justFinished = !isFinished(previous);
  const errors: FieldError[] = [];
  if ((justFinished || active !== (previous.active ?? 0)) && active > 0) {
    errors.push(invalidValue('status.active', active, 'active>0 is invalid for finished job'));
  }
  const hadNothingToDo = spec?.suspend === true && spec.completions === 0;
  if ((justFinished || isTimeChanged('startTime', status, previous)) && startTime === undefined && !hadNothingToDo) {
    errors.push(requiredValue('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = (pods?.succeeded?.length ?? 0) + (pods?.failed?.length ?? 0) > 0;
  const changed = JSON.stringify(pods) !== JSON.stringify(previous.uncountedTerminatedPods);
  if (uncounted && (justFinished || changed)) {
    const detail = 'uncountedTerminatedPods needs to be empty for finished job';
    errors.push(invalidValue('status.uncountedTerminatedPods', internalValue(UncountedTerminatedPods, pods), detail));
  }
  return errors;
}

function podErrors(status: JobStatus, previous: JobStatus): FieldError[] {
  const { active = 0, ready, terminating = 0 } = status;
  const errors: FieldError[] = [];
  const finished = isFinished(status);
  const changed = finished !== isFinished(previous) || status.terminating !== previous.terminating;
  if (changed && finished && terminating > 0) {
    errors.push(invalidValue('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  if ((ready !== previous.ready || active !== (previous.active ?? 0)) && ready !== undefined && ready > active) {
    errors.push(invalidValue('status.ready', ready, 'cannot set more ready pods than active'));
  }
  return errors;
}

function successErrors({ spec, status = {} }: Job): FieldError[] {
  const met = isConditionTrue(status, 'SuccessCriteriaMet');
  const errors: FieldError[] = [];
  const contradiction = (detail: string) => errors.push(invalidWithoutValue(conditionsField, detail));
  if (met && isConditionTrue(status, 'Failed')) {
    contradiction('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  }
  if (met && isConditionTrue(status, 'FailureTarget')) {
    contradiction('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  if (spec?.successPolicy !== undefined && !met && isConditionTrue(status, 'Complete')) {
    contradiction('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
  return errors;
}
