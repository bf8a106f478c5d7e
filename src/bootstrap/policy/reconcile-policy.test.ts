import { describe, expect, it } from 'vitest';
import { aggregatedRole, clusterRoleBinding, group, role, serviceAccount, user } from './policy-object.ts';
import { core, read, rule } from './policy-rule.ts';
import { reconcileBinding, reconcileRole } from './reconcile-policy.ts';

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const wantedRole = role({ name: 'r' }, [read(core, 'pods')]);
const wantedBinding = clusterRoleBinding('b', group('g'), serviceAccount('s'));

describe('a role', () => {
  it('stays when it grants more', () => {
    const rules = [rule('*', core, 'pods'), read('apps', 'deployments')];
    expect(reconcileRole({ ...wantedRole, rules }, wantedRole)).toBe('keep');
  });

  it('gets missing rules appended', () => {
    const rules = [rule('delete get list', core, 'pods')];
    const present = { ...wantedRole, metadata: { ...wantedRole.metadata, resourceVersion: '7' }, rules };
    expect(reconcileRole(present, wantedRole)).toEqual({ ...present, rules: [...rules, rule('watch', core, 'pods')] });
    expect(reconcileRole({ ...present, rules: null }, wantedRole)).toMatchObject({ rules: { length: 3 } });
  });

  it('gets missing labels and annotations, but keeps existing values', () => {
    const metadata = { name: 'r', labels: { mine: 'x', 'kubernetes.io/bootstrapping': 'other' } };
    expect(reconcileRole({ ...wantedRole, metadata }, wantedRole)).toEqual({
      ...wantedRole,
      metadata: { ...metadata, annotations: { [autoUpdate]: 'true' } },
    });
  });

  it('stays when it opts out of updates', () => {
    const metadata = { name: 'r', annotations: { [autoUpdate]: 'false' } };
    expect(reconcileRole({ metadata, rules: [] }, wantedRole)).toBe('keep');
  });

  it('with aggregation gets selectors and no rules', () => {
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
    const subjects = [user('u'), ...wantedBinding.subjects!];
    expect(reconcileBinding({ ...wantedBinding, subjects }, wantedBinding)).toBe('keep');
  });

  it('gets missing subjects', () => {
    const present = { ...wantedBinding, subjects: [user('g'), group('g')] };
    expect(reconcileBinding(present, wantedBinding)).toEqual({
      ...present,
      subjects: [user('g'), group('g'), serviceAccount('s')],
    });
  });

  it('is recreated when it refers to another role', () => {
    const present = { ...wantedBinding, roleRef: { ...wantedBinding.roleRef, name: 'other' } };
    expect(reconcileBinding(present, wantedBinding)).toBe('recreate');
    const metadata = { name: 'b', annotations: { [autoUpdate]: 'false' } };
    expect(reconcileBinding({ ...present, metadata }, wantedBinding)).toBe('keep');
  });
});
