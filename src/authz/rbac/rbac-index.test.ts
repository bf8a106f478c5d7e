import { expect, it } from 'vitest';
import { RbacIndex } from './rbac-index.ts';

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const role = (name: string, namespace?: string) => ({ metadata: { name, namespace }, rules });
const binding = (name: string, namespace?: string) => ({
  metadata: { name, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
  subjects: [
    { kind: 'User', name: 'jane' },
    { kind: 'User', name: 'jane' },
    { kind: 'Group', name: 'g' },
  ],
});
const jane = { name: 'jane', uid: '', groups: ['g', 'h'], extra: {} };

function filled(): RbacIndex {
  const index = new RbacIndex();
  index.putRole(role('r', 'n'));
  index.putClusterRole(role('r'));
  index.putRoleBinding(binding('b', 'n'));
  index.putRoleBinding(binding('a', 'n'));
  index.putRoleBinding(binding('c', 'm'));
  index.putClusterRoleBinding(binding('b'));
  return index;
}

const names = (index: RbacIndex, namespace: string) =>
  index.bindingsOf(jane, namespace).map(({ binding: { kind, name } }) => `${kind} ${name}`);

it('finds the bindings of a user by scope and name, each once', () => {
  const index = filled();
  expect(names(index, '')).toEqual(['ClusterRoleBinding b']);
  expect(names(index, 'n')).toEqual(['RoleBinding a', 'RoleBinding b']);
  expect(names(index, 'x')).toEqual([]);
  expect([...index.namespacesOf(jane)].sort()).toEqual(['m', 'n']);
  expect(index.bindingsOf({ ...jane, name: 'joe', groups: [] }, 'n')).toEqual([]);
});

it('keeps roles of a namespace and of the cluster apart', () => {
  const index = filled();
  const ref = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
  expect(index.rulesOf(ref, 'n')).toHaveLength(1);
  expect(index.rulesOf(ref, 'm')).toBeUndefined();
  expect(index.rulesOf(ref, '')).toBeUndefined();
  expect(index.rulesOf({ ...ref, kind: 'ClusterRole' }, 'm')).toHaveLength(1);
  expect(index.rulesOf({ ...ref, kind: 'Robot' }, 'n')).toBeUndefined();
});

it('increments the generation for every relevant change', () => {
  const index = filled();
  const steps: [matters: boolean, change: () => void][] = [
    [false, () => index.putRole({ ...role('r', 'n'), metadata: { name: 'r', namespace: 'n', labels: { a: 'b' } } })],
    [false, () => index.putClusterRole(role('r'))],
    [false, () => index.putRoleBinding(binding('b', 'n'))],
    [false, () => index.removeRole('n', 'gone')],
    [false, () => index.removeRoleBinding('n', 'gone')],
    [true, () => index.putRole({ ...role('r', 'n'), rules: [] })],
    [true, () => index.putClusterRole({ ...role('r'), rules: [] })],
    [true, () => index.putRole({ ...role('new', 'n'), rules: [] })],
    [true, () => index.putRoleBinding({ ...binding('b', 'n'), subjects: [] })],
    [true, () => index.putClusterRoleBinding({ ...binding('b'), subjects: undefined })],
    [true, () => index.removeRole('n', 'r')],
    [true, () => index.removeClusterRole('', 'r')],
    [true, () => index.removeRoleBinding('n', 'a')],
    [true, () => index.removeClusterRoleBinding('', 'b')],
  ];
  for (const [matters, change] of steps) {
    const before = index.generation;
    change();
    expect(index.generation > before, String(change)).toBe(matters);
  }
  expect(names(index, 'n')).toEqual([]);
  expect(names(index, '')).toEqual([]);
  expect([...index.namespacesOf(jane)]).toEqual(['m']);
});

it('resets one kind and keeps the others', () => {
  const ref = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
  const index = filled();
  const before = index.generation;
  index.reset('RoleBinding');
  expect(index.generation).toBeGreaterThan(before);
  expect(names(index, 'n')).toEqual([]);
  expect(names(index, '')).toHaveLength(1);
  index.reset('Role');
  expect(index.rulesOf(ref, 'n')).toBeUndefined();
  expect(index.rulesOf({ ...ref, kind: 'ClusterRole' }, '')).toHaveLength(1);
  index.reset('ClusterRole');
  expect(index.rulesOf({ ...ref, kind: 'ClusterRole' }, '')).toBeUndefined();
  index.reset('ClusterRoleBinding');
  expect(names(index, '')).toEqual([]);
});
