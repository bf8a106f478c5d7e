import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { valueAt } from '../select-field.ts';
import { cronJobRules } from './cron-job-rules.ts';
import { CronJob } from './cron-job-types.ts';
import { jobRules } from './job-rules.ts';
import { Job } from './job-types.ts';

/** The `batch` group: jobs that run to completion, once or on a schedule. */
const v1 = { group: 'batch', version: 'v1' };

export const batchResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'cronjobs', {
    schema: CronJob,
    shortNames: ['cj'],
    categories: ['all'],
    subresources: [status],
    generation: true,
    ...cronJobRules,
  }),
  defineResource(v1, 'jobs', {
    schema: Job,
    categories: ['all'],
    subresources: [status],
    generation: true,
    ...jobRules,
    fieldSelectors: {
      fields: { 'status.successful': valueAt('status.succeeded', '0') },
      refusal: 'notSupportedForKind',
    },
  }),
];
