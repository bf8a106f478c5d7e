import { describe, expect, it } from 'vitest';
import { clusterRoleBindings } from './cluster-role-bindings.ts';
import { clusterRoles } from './cluster-roles.ts';
import { roleBindings, roles } from './namespaced-policy.ts';
import type { Binding, Role } from './policy-object.ts';

const everything = [...clusterRoles, ...clusterRoleBindings, ...roles, ...roleBindings];
const path = ({ metadata: { namespace = '', name } }: Role | Binding) => `${namespace}/${name}`;
const clusterRole = (name: string) => clusterRoles.find(({ metadata }) => metadata.name === name);
const rulesOf = (name: string) => clusterRole(name)?.rules ?? [];
const verbsOn = (name: string, resource: string) =>
  rulesOf(name).flatMap(({ verbs, resources }) => (resources?.includes(resource) ? verbs : []));
const boundTo = (subject: string) =>
  clusterRoleBindings
    .filter(({ subjects }) => subjects?.some(({ name }) => name === subject))
    .map(({ metadata }) => metadata.name)
    .sort();

describe('the default policy', () => {
  it('lets later versions update every object', () => {
    for (const { metadata } of everything) {
      expect(metadata.labels).toMatchObject({ 'kubernetes.io/bootstrapping': 'rbac-defaults' });
      expect(metadata.annotations).toEqual({ 'rbac.authorization.kubernetes.io/autoupdate': 'true' });
    }
  });

  it.each([
    ['cluster roles', clusterRoles],
    ['cluster role bindings', clusterRoleBindings],
    ['roles', roles],
    ['role bindings', roleBindings],
  ])('has each of the %s once', (_about, objects: readonly (Role | Binding)[]) => {
    expect(new Set(objects.map(path)).size).toBe(objects.length);
  });

  it('binds only existing roles', () => {
    for (const { roleRef } of clusterRoleBindings) expect(clusterRole(roleRef.name)).toBeDefined();
    const known = new Set(roles.map(path));
    for (const { metadata, roleRef } of roleBindings) expect(known).toContain(`${metadata.namespace}/${roleRef.name}`);
  });

  it('has sorted rules without duplicates', () => {
    for (const rule of [...clusterRoles, ...roles].flatMap(({ rules }) => rules ?? [])) {
      for (const words of Object.values(rule) as string[][]) expect(words).toEqual([...new Set(words)].sort());
    }
  });

  it('has rules for resources or paths, and paths only in cluster roles', () => {
    for (const { rules } of clusterRoles) {
      for (const rule of rules ?? []) {
        expect(rule.resources === undefined).toBe(rule.nonResourceURLs !== undefined);
        expect(rule.resources === undefined).toBe(rule.apiGroups === undefined);
      }
    }
    for (const rule of roles.flatMap(({ rules }) => rules ?? [])) expect(rule.nonResourceURLs).toBeUndefined();
  });
});

describe('roles of users', () => {
  it('make edit a part of admin and view a part of edit', () => {
    const selects = (name: string, role: string) =>
      clusterRole(name)?.aggregationRule?.clusterRoleSelectors?.some(({ matchLabels = {} }) =>
        Object.entries(matchLabels).every(([key, value]) => clusterRole(role)?.metadata.labels?.[key] === value),
      );
    for (const [name, ...aggregated] of [
      ['admin', 'edit', 'system:aggregate-to-admin'],
      ['edit', 'view', 'system:aggregate-to-edit'],
      ['view', 'system:aggregate-to-view'],
    ]) {
      for (const role of aggregated) expect(selects(name!, role), `${role} in ${name}`).toBe(true);
      expect(clusterRole(name!)?.rules).toBeUndefined();
    }
    expect(selects('view', 'edit')).toBe(false);
  });

  it('allow secrets to edit, but not to view', () => {
    expect(verbsOn('system:aggregate-to-edit', 'secrets')).toContain('get');
    expect(verbsOn('system:aggregate-to-view', 'secrets')).toEqual([]);
    expect(verbsOn('system:aggregate-to-view', 'pods')).toEqual(['get', 'list', 'watch']);
    expect(verbsOn('system:aggregate-to-edit', 'resourcequotas')).toEqual([]);
  });

  it('allow the version to everybody, and discovery to authenticated users', () => {
    expect(boundTo('system:unauthenticated')).toEqual(['system:public-info-viewer']);
    expect(boundTo('system:authenticated')).toEqual([
      'system:basic-user',
      'system:discovery',
      'system:public-info-viewer',
    ]);
    const urls = rulesOf('system:public-info-viewer').flatMap(({ nonResourceURLs }) => nonResourceURLs ?? []);
    expect(urls).toContain('/version');
    expect(urls).not.toContain('/apis');
  });

  it('give everything to masters only', () => {
    expect(boundTo('system:masters')).toEqual(['cluster-admin']);
    expect(rulesOf('cluster-admin')).toEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]);
  });
});

describe('roles of programs', () => {
  it('give each controller its own account', () => {
    const controllers = clusterRoles.filter(({ metadata }) => metadata.name?.startsWith('system:controller:'));
    expect(controllers.length).toBeGreaterThan(30);
    for (const { metadata } of controllers) {
      const account = metadata.name!.slice('system:controller:'.length);
      expect(boundTo(account)).toEqual([metadata.name]);
    }
  });

  it('let the aggregation controller grant rules that it does not have', () => {
    expect(verbsOn('system:controller:clusterrole-aggregation-controller', 'clusterroles')).toContain('escalate');
  });

  it('leave nodes to the node authorizer', () => {
    const binding = clusterRoleBindings.find(({ metadata }) => metadata.name === 'system:node');
    expect(binding).not.toHaveProperty('subjects');
  });

  it('let the scheduler bind pods and use its lease', () => {
    expect(boundTo('system:kube-scheduler')).toEqual(['system:kube-scheduler', 'system:volume-scheduler']);
    expect(verbsOn('system:kube-scheduler', 'pods/binding')).toEqual(['create']);
    const lock = roleBindings.find(({ metadata }) => metadata.name === 'system::leader-locking-kube-scheduler');
    expect(lock?.subjects?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'User system:kube-scheduler',
      'ServiceAccount kube-scheduler',
    ]);
  });
});
