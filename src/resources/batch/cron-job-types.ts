import { bool, field, int32, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { ObjectReference } from '../core/reference-types.ts';
import { JobSpec } from './job-types.ts';

export const CronJob = struct('batch/v1.CronJob', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, CronJobSpec, { required: true }),
  status: field(3, CronJobStatus),
}));

export type CronJob = ObjectOf<typeof CronJob>;

export const CronJobSpec = struct('batch/v1.CronJobSpec', () => ({
  schedule: field(1, string, { required: true, always: true }),
  timeZone: field(8, string, { pointer: true }),
  startingDeadlineSeconds: field(2, int64, { pointer: true }),
  concurrencyPolicy: field(3, namedString('batch/v1.ConcurrencyPolicy'), {
    defaulted: true,
    enum: ['Allow', 'Forbid', 'Replace'],
  }),
  suspend: field(4, bool, { pointer: true, defaulted: true }),
  jobTemplate: field(5, JobTemplateSpec, { required: true, always: true }),
  successfulJobsHistoryLimit: field(6, int32, { pointer: true, defaulted: true }),
  failedJobsHistoryLimit: field(7, int32, { pointer: true, defaulted: true }),
}));

export type CronJobSpec = TypeOf<typeof CronJobSpec>;

export const JobTemplateSpec = struct('batch/v1.JobTemplateSpec', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, JobSpec),
}));

export const CronJobStatus = struct('batch/v1.CronJobStatus', () => ({
  active: field(1, listOf(ObjectReference), { list: 'atomic' }),
  lastScheduleTime: field(4, time, { pointer: true }),
  lastSuccessfulTime: field(5, time, { pointer: true }),
}));
