import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn, nameText } from './column.ts';

export const horizontalPodAutoscalerDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Reference', 'The workload that is scaled.'),
  column('Targets', 'Present and wanted value of each metric.'),
  column('MinPods', 'The fewest pods.'),
  column('MaxPods', 'The most pods.'),
  column('Replicas', 'Pods that were last seen.'),
  ageColumn,
];

export const scaleDefinitions: readonly ColumnDefinition[] = [
  column('Name', nameText),
  column('Desired', 'Pods that are wanted.', { type: 'integer' }),
  column('Available', 'Pods that there are.', { type: 'integer' }),
  ageColumn,
];
