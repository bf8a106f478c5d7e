import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const apiServiceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Service', 'The service that serves the group version, or Local.'),
  column('Available', 'Whether it is available.'),
  ageColumn,
];
