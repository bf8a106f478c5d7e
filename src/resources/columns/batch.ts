import { humanDuration, since } from '../../meta/human-duration.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { CronJob } from '../batch/cron-job-types.ts';
import type { Job } from '../batch/job-types.ts';
import { age } from './ages.ts';
import { cronJobDefinitions, jobDefinitions } from './definitions/batch.ts';
import { selectorText } from './label-texts.ts';
import { containerCells } from './pod-template-cells.ts';

const job: TableColumns = {
  definitions: jobDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as Job;
    return [
      metadata.name ?? '',
      jobStatus(object),
      completions(object),
      duration(object, now),
      age(object, now),
      ...containerCells(spec?.template),
      selectorText(spec?.selector),
    ];
  },
};

function jobStatus(object: Job): string {
  const isTrue = (type: string): boolean =>
    object.status?.conditions?.find((condition) => condition.type === type)?.status === 'True';
  if (isTrue('Complete')) return 'Complete';
  if (isTrue('Failed')) return 'Failed';
  if (object.metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status }: Job, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

const cronJob: TableColumns = {
  definitions: cronJobDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as CronJob;
    const { suspend } = spec ?? {};
    const jobSpec = spec?.jobTemplate?.spec;
    return [
      metadata.name ?? '',
      spec?.schedule ?? '',
      spec?.timeZone ?? '<none>',
      suspend === undefined ? '<unset>' : suspend ? 'True' : 'False',
      status?.active?.length ?? 0,
      status?.lastScheduleTime ? since(status.lastScheduleTime, now) : '<none>',
      age(object, now),
      ...containerCells(jobSpec?.template),
      selectorText(jobSpec?.selector),
    ];
  },
};

export const batchColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['batch/Job', job],
  ['batch/CronJob', cronJob],
]);
