import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const roleBindingDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Role', 'The role that is granted.'),
  ageColumn,
  column('Users', 'Users who get it.', { priority: 1 }),
  column('Groups', 'Groups that get it.', { priority: 1 }),
  column('ServiceAccounts', 'Service accounts that get it.', { priority: 1 }),
];

export const clusterRoleBindingDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Role', 'The role that is granted.'),
  ageColumn,
  column('Users', 'Users who get it.', { priority: 1 }),
  column('Groups', 'Groups that get it.', { priority: 1 }),
  column('ServiceAccounts', 'Service accounts that get it.', { priority: 1 }),
];
