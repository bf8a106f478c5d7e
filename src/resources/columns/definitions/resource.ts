import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const resourceClaimDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('State', 'Whether the claim is pending, allocated, reserved or deleted.'),
  ageColumn,
];

export const resourceSliceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Node', 'The node that has the devices.'),
  column('Driver', 'The driver of the devices.'),
  column('Pool', 'The pool of the devices.'),
  ageColumn,
];
