import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { nameWarnings } from '../apps/template-warnings.ts';
import { dropUnservedIn } from '../core/pod/unserved-references.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { CronJobSpec } from './cron-job-types.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { setJobTemplateDefaults } from './job-defaults.ts';
import { validateJobTemplateSpec } from './job-spec-validation.ts';
import type { JobSpec } from './job-types.ts';
import { jobSpecWarnings } from './job-warnings.ts';
import { timeZoneProblems } from './time-zone.ts';

/** The name of a job is that of its CronJob, a dash, and a time of ten digits. */
const maxNameLength = 52;
const concurrencyPolicies = enumOf(CronJobSpec, 'concurrencyPolicy');
const jobPath = 'spec.jobTemplate.spec';

export const cronJobRules = {
  dropUnserved: dropUnservedIn('spec', 'jobTemplate', 'spec', 'template', 'spec'),
  setDefaults(object: ResourceObject): void {
    const spec = specOf(object);
    spec.concurrencyPolicy ??= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    setJobTemplateDefaults(spec.jobTemplate?.spec ?? {});
  },

  validate(object: ResourceObject): FieldError[] {
    const { name = '' } = object.metadata;
    const errors = specErrors(specOf(object));
    if (Buffer.byteLength(name) > maxNameLength) {
      errors.push(invalidValue('metadata.name', name, `must be no more than ${maxNameLength} characters`));
    }
    return errors;
  },

  validateUpdate: (next: ResourceObject, oldObject: ResourceObject): FieldError[] =>
    specErrors(specOf(next), specOf(oldObject)),

  warnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
    const { jobTemplate, schedule = '' } = specOf(object);
    const job = jobTemplate?.spec ?? {};
    const warnings = oldObject === undefined ? nameWarnings(object) : [];
    if (oldObject === undefined) warnings.push(...jobSpecWarnings(job, jobPath));
    else if (object.metadata.generation !== oldObject.metadata.generation) {
      warnings.push(...jobSpecWarnings(job, jobPath));
    }
    if (!schedule.includes('TZ')) return warnings;
    const where = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
    return [...warnings, `CRON_TZ or TZ used in spec.spec.schedule is not officially supported, ${where}`];
  },
};

function specOf({ spec }: ResourceObject): CronJobSpec {
  return (spec ?? {}) as CronJobSpec;
}

function specErrors(spec: CronJobSpec, oldSpec?: CronJobSpec): FieldError[] {
  const { timeZone } = spec;
  const zones = timeZone === undefined || timeZone === oldSpec?.timeZone ? [] : timeZoneProblems(timeZone);
  return [
    ...scheduleErrors(spec, { allowTimeZone: oldSpec?.schedule?.includes('TZ') ?? false }),
    ...validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...zones.map((detail) => invalidValue('spec.timeZone', timeZone, detail)),
    ...concurrencyErrors(spec.concurrencyPolicy ?? ''),
    ...jobErrors(spec.jobTemplate?.spec ?? {}),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...validateNonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

/** A time zone in the schedule was never supported officially. It is accepted when the old schedule has one. */
function scheduleErrors(
  { schedule = '', timeZone }: CronJobSpec,
  { allowTimeZone }: { allowTimeZone: boolean },
): FieldError[] {
  const field = 'spec.schedule';
  if (schedule === '') return [requiredValue(field)];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalidValue(field, schedule, problem)];
  if (!schedule.includes('TZ')) return errors;
  if (!allowTimeZone) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalidValue(field, schedule, detail));
  } else if (timeZone !== undefined) {
    const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(invalidValue(field, schedule, detail));
  }
  return errors;
}

function concurrencyErrors(policy: string): FieldError[] {
  if (concurrencyPolicies.includes(policy)) return [];
  if (policy === '') return [requiredValue('spec.concurrencyPolicy')];
  return [notSupportedValue('spec.concurrencyPolicy', policy, concurrencyPolicies)];
}

/** The selector of each job is generated, so the template cannot have one. */
function jobErrors(job: JobSpec): FieldError[] {
  const errors = validateJobTemplateSpec(job, jobPath);
  if (job.selector !== undefined) {
    errors.push(invalidValue(`${jobPath}.selector`, job.selector, '`selector` will be auto-generated'));
  }
  if (job.manualSelector) {
    errors.push(notSupportedValue(`${jobPath}.manualSelector`, job.manualSelector, ['nil', 'false']));
  }
  return errors;
}
