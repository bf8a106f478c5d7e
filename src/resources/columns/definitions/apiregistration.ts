import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const apiServiceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Service', 'The reference to the service that hosts this API endpoint.'),
  column('Available', 'Whether this service is available.'),
  ageColumn,
];
