import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectLabelSelector } from '../../meta/object-label-selector.ts';
import type { PolicyRule } from './policy-rule.ts';

/** A Role or a ClusterRole. */
export interface Role extends ResourceObject {
  rules?: readonly PolicyRule[] | null;
  aggregationRule?: { readonly clusterRoleSelectors?: readonly ObjectLabelSelector[] };
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding extends ResourceObject {
  subjects?: readonly Subject[];
  roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

/** With the value `false` the server never updates the object. */
export const autoUpdateAnnotation = 'rbac.authorization.kubernetes.io/autoupdate';
const bootstrapLabel = 'kubernetes.io/bootstrapping';
const bootstrapLabelValue = 'rbac-defaults';
const apiGroup = 'rbac.authorization.k8s.io';

export interface PolicyMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export function role(meta: PolicyMeta, rules: readonly PolicyRule[]): Role {
  return { metadata: metadata(meta), rules };
}

/** A role whose rules are aggregated from the roles with this label by a controller. */
export function aggregatedRole(meta: PolicyMeta, label: string): Role {
  return {
    metadata: metadata(meta),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
  };
}

export function clusterRoleBinding(name: string, ...subjects: readonly Subject[]): Binding {
  return binding({ name }, { kind: 'ClusterRole', name }, subjects);
}

export function roleBinding(meta: PolicyMeta, roleName: string, subjects: readonly Subject[]): Binding {
  return binding(meta, { kind: 'Role', name: roleName }, subjects);
}

export function user(name: string): Subject {
  return { kind: 'User', apiGroup, name };
}

export function group(name: string): Subject {
  return { kind: 'Group', apiGroup, name };
}

export function serviceAccount(name: string): Subject {
  return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
}

function binding(
  meta: PolicyMeta,
  roleRef: { readonly kind: string; readonly name: string },
  subjects: readonly Subject[],
): Binding {
  return {
    metadata: metadata(meta),
    ...(subjects.length > 0 && { subjects }),
    roleRef: { apiGroup, ...roleRef },
  };
}

function metadata({ labels, ...meta }: PolicyMeta): Role['metadata'] {
  return {
    ...meta,
    labels: { [bootstrapLabel]: bootstrapLabelValue, ...labels },
    annotations: { [autoUpdateAnnotation]: 'true' },
  };
}
