import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const apiServiceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Service', 'The service that serves the group version, or Local.'),
  column('Available', 'Whether it is available.'),
  ageColumn,
];
