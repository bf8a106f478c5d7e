import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const priorityClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Value', 'The priority. Higher is more important.', { type: 'integer' }),
  column('Global-Default', 'Whether pods without a class get it.', { type: 'boolean' }),
  ageColumn,
  column('PreemptionPolicy', 'Whether pods may displace others.'),
];

export const podGroupDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Policy', 'How the pods of the group are placed.'),
  column('Workload', 'The workload to which the group belongs, if any.'),
  column('Status', 'Whether the group is pending, scheduled or unschedulable, or why it is being disrupted.'),
  ageColumn,
];
