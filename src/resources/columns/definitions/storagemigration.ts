import { type ColumnDefinition, column, nameText } from '../../../meta/table-columns.ts';

export const storageVersionMigrationDefinitions: readonly ColumnDefinition[] = [
  column('Name', nameText),
  column('Resource', 'The resource whose objects are written again, with its group.'),
  column('Status', 'Whether the migration is running, has failed or has succeeded.'),
];
