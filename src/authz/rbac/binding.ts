import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** The namespace of a service account. Default: that of the binding. Empty for users and groups. */
  readonly namespace: string;
}

export interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  /** Empty for cluster scope. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

export function bindingOf(kind: Binding['kind'], object: ResourceObject): Binding {
  const { name = '' } = object.metadata;
  const namespace = kind === 'RoleBinding' ? (object.metadata.namespace ?? '') : '';
  const subjects = (object.subjects ?? []) as readonly Partial<Subject>[];
  return {
    kind,
    namespace,
    name,
    roleRef: roleRefOf(object),
    subjects: subjects.map((subject) => ({
      kind: subject.kind ?? '',
      name: subject.name ?? '',
      namespace: subject.kind === 'ServiceAccount' ? subject.namespace || namespace : '',
    })),
  };
}

export function roleRefOf(binding: ResourceObject): RoleRef {
  const { apiGroup = '', kind = '', name = '' } = (binding.roleRef ?? {}) as Partial<RoleRef>;
  return { apiGroup, kind, name };
}

/** Formatted as in kube-apiserver, with the namespace after the name. */
export function bindingText({ kind, namespace, name, roleRef }: Binding, subject: Subject): string {
  const binding = kind === 'RoleBinding' ? `${name}/${namespace}` : name;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  const role = `${roleRef.kind} ${goQuote(roleRef.name)}`;
  return `${kind} ${goQuote(binding)} of ${role} to ${subject.kind} ${goQuote(who)}`;
}
