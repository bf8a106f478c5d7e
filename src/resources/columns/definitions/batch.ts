import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn, containersColumn, imagesColumn } from './column.ts';

export const jobDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Status', 'Whether the job runs, is suspended or has ended, and how.'),
  column('Completions', 'Succeeded and required number of pods.'),
  column('Duration', 'Time from the start to the end, or until now.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const cronJobDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Schedule', 'The times in cron form.'),
  column('Timezone', 'Time zone of the schedule.'),
  column('Suspend', 'Whether no more jobs are started.', { type: 'boolean' }),
  column('Active', 'Number of running jobs.', { type: 'integer' }),
  column('Last Schedule', 'When a job was last started.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];
