import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const leaseDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Holder', 'Who holds the lease.'),
  ageColumn,
];
