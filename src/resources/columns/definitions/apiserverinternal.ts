import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const storageVersionDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('CommonEncodingVersion', 'The version that all API servers write, if they agree.'),
  column('StorageVersions', 'The version that each API server writes.'),
  ageColumn,
];
