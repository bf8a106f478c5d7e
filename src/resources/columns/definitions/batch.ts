import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from './column.ts';

const jobSelectorText =
  'A label query over pods that should match the pod count. Normally, the system sets this field for ' +
  'you. More info: ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors';

export const jobDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Status of the job.'),
  column(
    'Completions',
    'The number of pods which reached phase Succeeded. The value increases monotonically for a given ' +
      'spec. However, it may decrease in reaction to scale down of elastic indexed jobs.',
  ),
  column('Duration', 'Time required to complete the job.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', jobSelectorText, { priority: 1 }),
];

export const cronJobDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Schedule', 'The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.'),
  column(
    'Timezone',
    'The time zone name for the given schedule, see ' +
      'https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. If not specified, this will default ' +
      'to the time zone of the kube-controller-manager process. The set of valid time zone names and the ' +
      'time zone offset is loaded from the system-wide time zone database by the API server during ' +
      'CronJob validation and the controller manager during execution. If no system-wide time zone ' +
      'database can be found a bundled version of the database is used instead. If the time zone name ' +
      'becomes invalid during the lifetime of a CronJob or due to a change in host configuration, the ' +
      'controller will stop creating new new Jobs and will create a system event with the reason ' +
      'UnknownTimeZone. More information can be found in ' +
      'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#time-zones',
  ),
  column(
    'Suspend',
    'This flag tells the controller to suspend subsequent executions, it does not apply to already ' +
      'started executions.  Defaults to false.',
    { type: 'boolean' },
  ),
  column('Active', 'A list of pointers to currently running jobs.', { type: 'integer' }),
  column('Last Schedule', 'Information when was the last time the job was successfully scheduled.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', jobSelectorText, { priority: 1 }),
];
