import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const priorityClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Value',
    'value represents the integer value of this priority class. This is the actual priority that pods ' +
      'receive when they have the name of this class in their pod spec.',
    { type: 'integer' },
  ),
  column(
    'Global-Default',
    'globalDefault specifies whether this PriorityClass should be considered as the default priority ' +
      'for pods that do not have any priority class. Only one PriorityClass can be marked as ' +
      '`globalDefault`. However, if more than one PriorityClasses exists with their `globalDefault` ' +
      'field set to true, the smallest value of such global default PriorityClasses will be used as the ' +
      'default priority.',
    { type: 'boolean' },
  ),
  ageColumn,
  column(
    'PreemptionPolicy',
    'preemptionPolicy is the Policy for preempting pods with lower priority. One of Never, ' +
      'PreemptLowerPriority. Defaults to PreemptLowerPriority if unset.',
  ),
];
