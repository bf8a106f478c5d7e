import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { clusterRoleBindingRules, roleBindingRules } from './role-binding-rules.ts';
import { ClusterRoleBinding, RoleBinding } from './role-binding-types.ts';
import { clusterRoleRules, roleRules } from './role-rules.ts';
import { ClusterRole, Role } from './role-types.ts';

/** The `rbac.authorization.k8s.io` group. This folder defines roles and bindings. `authz` evaluates them. */
const v1 = { group: 'rbac.authorization.k8s.io', version: 'v1' };

export const rbacResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'clusterrolebindings', {
    createsOnUpdate: true,
    schema: ClusterRoleBinding,
    scope: 'cluster',
    name: 'pathSegment',
    ...clusterRoleBindingRules,
  }),
  defineResource(v1, 'clusterroles', {
    createsOnUpdate: true,
    schema: ClusterRole,
    scope: 'cluster',
    name: 'pathSegment',
    ...clusterRoleRules,
  }),
  defineResource(v1, 'rolebindings', {
    createsOnUpdate: true,
    schema: RoleBinding,
    name: 'pathSegment',
    ...roleBindingRules,
  }),
  defineResource(v1, 'roles', {
    createsOnUpdate: true,
    schema: Role,
    name: 'pathSegment',
    ...roleRules,
  }),
];
