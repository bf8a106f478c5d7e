import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const runtimeClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Handler', 'The handler that runs the pods.'),
  ageColumn,
];
