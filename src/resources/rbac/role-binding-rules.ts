import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { isSameValue } from '../validation/immutable.ts';
import { internalValue } from '../validation/internal-value.ts';
import { RoleRef, type Subject } from './role-binding-types.ts';

/** The differences between RoleBinding and ClusterRoleBinding. */
interface BindingScope {
  readonly roleKinds: readonly string[];
  /** In a namespaced binding, the namespace of service accounts defaults to that of the binding. */
  readonly namespaced: boolean;
}

const group = 'rbac.authorization.k8s.io';

export const roleBindingRules = rulesOf({ roleKinds: ['Role', 'ClusterRole'], namespaced: true });
export const clusterRoleBindingRules = rulesOf({ roleKinds: ['ClusterRole'], namespaced: false });

function rulesOf(scope: BindingScope): Partial<ResourceRules> {
  return {
    updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
    setDefaults,
    validate: (binding) => bindingErrors(binding, scope),
    validateUpdate: changedRoleErrors,
  };
}

function setDefaults({ roleRef, subjects }: ResourceObject): void {
  const role = roleRef as RoleRef | undefined;
  if (role && !role.apiGroup) role.apiGroup = group;
  for (const subject of (subjects ?? []) as Subject[]) {
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = group;
  }
}

function bindingErrors({ roleRef, subjects }: ResourceObject, scope: BindingScope): FieldError[] {
  const errors = roleErrors((roleRef ?? {}) as RoleRef, scope);
  for (const [index, subject] of ((subjects ?? []) as Subject[]).entries()) {
    errors.push(...subjectErrors(subject, `subjects[${index}]`, scope));
  }
  return errors;
}

function roleErrors({ apiGroup = '', kind = '', name = '' }: RoleRef, { roleKinds }: BindingScope): FieldError[] {
  const errors: FieldError[] = [];
  if (apiGroup !== group) errors.push(notSupportedValue('roleRef.apiGroup', apiGroup, [group]));
  if (!roleKinds.includes(kind)) errors.push(notSupportedValue('roleRef.kind', kind, roleKinds));
  if (name === '') errors.push(requiredValue('roleRef.name'));
  else for (const detail of pathSegmentErrors(name)) errors.push(invalidValue('roleRef.name', name, detail));
  return errors;
}

function subjectErrors(subject: Subject, path: string, scope: BindingScope): FieldError[] {
  const { kind = '', apiGroup = '', name = '' } = subject;
  const errors = name === '' ? [requiredValue(`${path}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      errors.push(...accountErrors(subject, path, scope));
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== group) errors.push(notSupportedValue(`${path}.apiGroup`, apiGroup, [group]));
      break;
    default:
      errors.push(notSupportedValue(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

function accountErrors(
  { apiGroup = '', name = '', namespace = '' }: Subject,
  path: string,
  { namespaced }: BindingScope,
): FieldError[] {
  const details = name === '' ? [] : dnsSubdomainErrors(name);
  const errors = details.map((detail) => invalidValue(`${path}.name`, name, detail));
  if (apiGroup !== '') errors.push(notSupportedValue(`${path}.apiGroup`, apiGroup, ['']));
  if (!namespaced && namespace === '') errors.push(requiredValue(`${path}.namespace`));
  return errors;
}

/** The role is immutable, so that permission to change the subjects does not allow granting another role. */
function changedRoleErrors(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  if (isSameValue(next.roleRef, oldObject.roleRef)) return [];
  return [invalidValue('roleRef', internalValue(RoleRef, next.roleRef), 'cannot change roleRef')];
}
