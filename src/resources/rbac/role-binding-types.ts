import { field, listOf, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const RoleBinding = struct('rbac/v1.RoleBinding', () => ({
  metadata: field(1, ObjectMeta),
  subjects: field(2, listOf(Subject), { list: 'atomic' }),
  roleRef: field(3, RoleRef, { required: true, always: true }),
}));

export type RoleBinding = ObjectOf<typeof RoleBinding>;

export const Subject = struct(
  'rbac/v1.Subject',
  () => ({
    kind: field(1, string, { required: true, always: true }),
    apiGroup: field(2, string, { defaulted: true }),
    name: field(3, string, { required: true, always: true }),
    namespace: field(4, string),
  }),
  { atomic: true },
);

export type Subject = TypeOf<typeof Subject>;

export const RoleRef = struct(
  'rbac/v1.RoleRef',
  () => ({
    apiGroup: field(1, string, { always: true, defaulted: true }),
    kind: field(2, string, { required: true, always: true }),
    name: field(3, string, { required: true, always: true }),
  }),
  { atomic: true },
);

export type RoleRef = TypeOf<typeof RoleRef>;

export const ClusterRoleBinding = struct('rbac/v1.ClusterRoleBinding', () => ({
  metadata: field(1, ObjectMeta),
  subjects: field(2, listOf(Subject), { list: 'atomic' }),
  roleRef: field(3, RoleRef, { required: true, always: true }),
}));
