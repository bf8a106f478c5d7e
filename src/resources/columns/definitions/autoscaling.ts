import { type ColumnDefinition, column, nameColumn, nameText } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const horizontalPodAutoscalerDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Reference', 'The workload that is scaled.'),
  column('Targets', 'Current and target value of each metric.'),
  column('MinPods', 'Minimum number of pods.'),
  column('MaxPods', 'Maximum number of pods.'),
  column('Replicas', 'Number of pods that was last seen.'),
  ageColumn,
];

export const scaleDefinitions: readonly ColumnDefinition[] = [
  column('Name', nameText),
  column('Desired', 'Desired number of pods.', { type: 'integer' }),
  column('Available', 'Current number of pods.', { type: 'integer' }),
  ageColumn,
];
