import { describe, expect, it } from 'vitest';
import { aggregatedRole, clusterRoleBinding, group, role, serviceAccount, user } from './policy-object.ts';
import { core, read, rule } from './policy-rule.ts';
import { reconcileBinding, reconcileRole } from './reconcile-policy.ts';

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const desiredRole = role({ name: 'r' }, [read(core, 'pods')]);
const desiredBinding = clusterRoleBinding('b', group('g'), serviceAccount('s'));

describe('a role', () => {
  it('stays when it grants more', () => {
    const rules = [rule('*', core, 'pods'), read('apps', 'deployments')];
    expect(reconcileRole({ ...desiredRole, rules }, desiredRole)).toBe('keep');
  });

  it('gets missing rules appended', () => {
    const rules = [rule('delete get list', core, 'pods')];
    const present = { ...desiredRole, metadata: { ...desiredRole.metadata, resourceVersion: '7' }, rules };
    expect(reconcileRole(present, desiredRole)).toEqual({ ...present, rules: [...rules, rule('watch', core, 'pods')] });
    expect(reconcileRole({ ...present, rules: null }, desiredRole)).toMatchObject({ rules: { length: 3 } });
  });

  it('gets missing labels and annotations, but keeps existing values', () => {
    const metadata = { name: 'r', labels: { mine: 'x', 'kubernetes.io/bootstrapping': 'other' } };
    expect(reconcileRole({ ...desiredRole, metadata }, desiredRole)).toEqual({
      ...desiredRole,
      metadata: { ...metadata, annotations: { [autoUpdate]: 'true' } },
    });
  });

  it('stays when it opts out of updates', () => {
    const metadata = { name: 'r', annotations: { [autoUpdate]: 'false' } };
    expect(reconcileRole({ metadata, rules: [] }, desiredRole)).toBe('keep');
  });

  it('gets selectors and no rules if it is aggregated', () => {
    const wanted = aggregatedRole({ name: 'view' }, 'to-view');
    const gathered = { ...wanted, rules: [read(core, 'pods')] };
    expect(reconcileRole(gathered, wanted)).toBe('keep');
    const own = { matchLabels: { mine: 'yes' } };
    const present = { ...gathered, aggregationRule: { clusterRoleSelectors: [own] } };
    expect(reconcileRole(present, wanted)).toEqual({
      ...present,
      aggregationRule: { clusterRoleSelectors: [own, { matchLabels: { 'to-view': 'true' } }] },
    });
  });
});

describe('a binding', () => {
  it('stays when it has more subjects', () => {
    const subjects = [user('u'), ...desiredBinding.subjects!];
    expect(reconcileBinding({ ...desiredBinding, subjects }, desiredBinding)).toBe('keep');
  });

  it('gets missing subjects', () => {
    const present = { ...desiredBinding, subjects: [user('g'), group('g')] };
    expect(reconcileBinding(present, desiredBinding)).toEqual({
      ...present,
      subjects: [user('g'), group('g'), serviceAccount('s')],
    });
  });

  it('is recreated when it refers to another role', () => {
    const present = { ...desiredBinding, roleRef: { ...desiredBinding.roleRef, name: 'other' } };
    expect(reconcileBinding(present, desiredBinding)).toBe('recreate');
    const metadata = { name: 'b', annotations: { [autoUpdate]: 'false' } };
    expect(reconcileBinding({ ...present, metadata }, desiredBinding)).toBe('keep');
  });
});
