import { describe, expect, it } from 'vitest';
import { aggregatedRole, clusterRoleBinding, group, role, serviceAccount, user } from './policy-object.ts';
import { core, read, rule } from './policy-rule.ts';
import { reconcileBinding, reconcileRole } from './reconcile-policy.ts';

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const wantedRole = role({ name: 'r' }, [read(core, 'pods')]);
const wantedBinding = clusterRoleBinding('b', group('g'), serviceAccount('s'));

describe('a role', () => {
  it('stays when it allows more than it has to', () => {
    const rules = [rule('*', core, 'pods'), read('apps', 'deployments')];
    expect(reconcileRole({ ...wantedRole, rules }, wantedRole)).toBe('keep');
  });

  it('gets what it lacks behind what it has', () => {
    const rules = [rule('delete get list', core, 'pods')];
    const present = { ...wantedRole, metadata: { ...wantedRole.metadata, resourceVersion: '7' }, rules };
    expect(reconcileRole(present, wantedRole)).toEqual({ ...present, rules: [...rules, rule('watch', core, 'pods')] });
    expect(reconcileRole({ ...present, rules: null }, wantedRole)).toMatchObject({ rules: { length: 3 } });
  });

  it('gets labels and annotations, but keeps the values that it has', () => {
    const metadata = { name: 'r', labels: { mine: 'x', 'kubernetes.io/bootstrapping': 'other' } };
    expect(reconcileRole({ ...wantedRole, metadata }, wantedRole)).toEqual({
      ...wantedRole,
      metadata: { ...metadata, annotations: { [autoUpdate]: 'true' } },
    });
  });

  it('stays when it is not to be updated', () => {
    const metadata = { name: 'r', annotations: { [autoUpdate]: 'false' } };
    expect(reconcileRole({ metadata, rules: [] }, wantedRole)).toBe('keep');
  });

  it('that gathers others gets selectors and no rules', () => {
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
  it('stays when it has more subjects than it has to', () => {
    const subjects = [user('u'), ...wantedBinding.subjects!];
    expect(reconcileBinding({ ...wantedBinding, subjects }, wantedBinding)).toBe('keep');
  });

  it('gets the subjects that it lacks', () => {
    const present = { ...wantedBinding, subjects: [user('g'), group('g')] };
    expect(reconcileBinding(present, wantedBinding)).toEqual({
      ...present,
      subjects: [user('g'), group('g'), serviceAccount('s')],
    });
  });

  it('is made anew when it is one of another role', () => {
    const present = { ...wantedBinding, roleRef: { ...wantedBinding.roleRef, name: 'other' } };
    expect(reconcileBinding(present, wantedBinding)).toBe('recreate');
    const metadata = { name: 'b', annotations: { [autoUpdate]: 'false' } };
    expect(reconcileBinding({ ...present, metadata }, wantedBinding)).toBe('keep');
  });
});
