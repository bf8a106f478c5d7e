import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const roleBindingDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Role',
    'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. ' +
      'If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
  ageColumn,
  column('Users', 'Users in the roleBinding', { priority: 1 }),
  column('Groups', 'Groups in the roleBinding', { priority: 1 }),
  column('ServiceAccounts', 'ServiceAccounts in the roleBinding', { priority: 1 }),
];

export const clusterRoleBindingDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Role',
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be ' +
      'resolved, the Authorizer must return an error.',
  ),
  ageColumn,
  column('Users', 'Users in the clusterRoleBinding', { priority: 1 }),
  column('Groups', 'Groups in the clusterRoleBinding', { priority: 1 }),
  column('ServiceAccounts', 'ServiceAccounts in the clusterRoleBinding', { priority: 1 }),
];
