import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const runtimeClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Handler', 'The handler that runs the pods.'),
  ageColumn,
];
