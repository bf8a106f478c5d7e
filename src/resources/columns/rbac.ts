import type { ResourceObject } from '../../meta/object.ts';
import type { Cell, ColumnDefinition, TableColumns } from '../../meta/table-columns.ts';
import type { RoleBinding, Subject } from '../rbac/role-binding-types.ts';
import { age } from './ages.ts';
import { clusterRoleBindingDefinitions, roleBindingDefinitions } from './definitions/rbac.ts';

function cells(object: ResourceObject, now: number): Cell[] {
  const { metadata, roleRef, subjects = [] } = object as RoleBinding;
  const named = (wanted: string, text: (subject: Subject) => string): string =>
    subjects
      .filter(({ kind }) => kind === wanted)
      .map(text)
      .join(', ');
  return [
    metadata.name ?? '',
    `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    age(object, now),
    named('User', ({ name = '' }) => name),
    named('Group', ({ name = '' }) => name),
    named('ServiceAccount', ({ namespace = '', name = '' }) => `${namespace}/${name}`),
  ];
}

const binding = (definitions: readonly ColumnDefinition[]): TableColumns => ({ definitions, cells });

export const rbacColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['rbac.authorization.k8s.io/RoleBinding', binding(roleBindingDefinitions)],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', binding(clusterRoleBindingDefinitions)],
]);
