/** A slow and literal implementation of the RBAC rules. Shares no code with the server. */

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Role {
  readonly kind: 'Role' | 'ClusterRole';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[] | null;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[] | null;
}

export interface Policy {
  readonly roles: readonly Role[];
  readonly bindings: readonly Binding[];
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** An action on a resource. Fields that do not apply are absent. */
export interface ResourceAction {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface PathAction {
  readonly verb: string;
  readonly path: string;
}

export type Action = ResourceAction | PathAction;

export function isAllowed(policy: Policy, user: User, action: Action): boolean {
  if (user.groups.includes('system:masters')) return true;
  return policy.bindings.some(
    (binding) =>
      appliesTo(binding, action) &&
      (binding.subjects ?? []).some((subject) => matchesSubject(subject, user, binding)) &&
      rulesOf(policy, binding).some((rule) => grants(rule, action)),
  );
}

/** A RoleBinding applies to its namespace, a ClusterRoleBinding to everything. */
function appliesTo({ kind, metadata }: Binding, action: Action): boolean {
  if (kind === 'ClusterRoleBinding') return true;
  return 'resource' in action && action.namespace !== undefined && action.namespace === metadata.namespace;
}

function matchesSubject(subject: Subject, { name, groups }: User, { metadata }: Binding): boolean {
  if (subject.kind === 'User') return subject.name === name;
  if (subject.kind === 'Group') return groups.includes(subject.name);
  return name === `system:serviceaccount:${subject.namespace ?? metadata.namespace}:${subject.name}`;
}

function rulesOf({ roles }: Policy, { roleRef, metadata }: Binding): readonly Rule[] {
  const role = roles.find(
    ({ kind, metadata: { name, namespace } }) =>
      kind === roleRef.kind && name === roleRef.name && (kind === 'ClusterRole' || namespace === metadata.namespace),
  );
  return role?.rules ?? [];
}

function grants(rule: Rule, action: Action): boolean {
  if (!has(rule.verbs, action.verb)) return false;
  if ('path' in action) return (rule.nonResourceURLs ?? []).some((url) => coversPath(url, action.path));
  const { group, resource, subresource, name } = action;
  if (!has(rule.apiGroups, group)) return false;
  if (!(rule.resources ?? []).some((pattern) => coversResource(pattern, resource, subresource))) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || (name !== undefined && names.includes(name));
}

function has(list: readonly string[] = [], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

/** A star covers everything, `pods` only pods, and `pods/log` and `star/log` only logs. `pods/star` matches nothing. */
function coversResource(pattern: string, resource: string, subresource: string | undefined): boolean {
  if (pattern === '*') return true;
  if (subresource === undefined) return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}

function coversPath(url: string, path: string): boolean {
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
}
