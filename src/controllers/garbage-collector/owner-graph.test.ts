import { expect, it } from 'vitest';
import type { ObjectMeta, OwnerReference } from '../../meta/object.ts';
import { OwnerGraph } from './owner-graph.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true };
const roles = { group: 'rbac', version: 'v1', resource: 'clusterroles', kind: 'ClusterRole', namespaced: false };
const never = () => false;

const to = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: name,
  ...more,
});

function graph() {
  const notified: string[] = [];
  const made = new OwnerGraph({
    check: (uid) => void notified.push(`check ${uid}`),
    orphan: (uid) => void notified.push(`orphan ${uid}`),
  });
  return {
    graph: made,
    put: (name: string, owners: OwnerReference[] = [], more: Partial<ObjectMeta> = {}) =>
      made.put(configMaps, { metadata: { name, uid: name, namespace: 'a', ownerReferences: owners, ...more } }),
    /** Returns the reports since the last call. */
    notified: () => notified.splice(0),
  };
}

const foreground = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };
const orphan = { ...foreground, finalizers: ['orphan'] };

it('reports absent owners only after all types are listed', () => {
  const { graph: owners, put, notified } = graph();
  put('child', [to('owner')]);
  put('stray', [to('nobody')]);
  put('owner');
  expect(notified()).toEqual([]);
  owners.complete();
  expect(notified()).toEqual(['check stray']);
  put('late', [to('nobody')]);
  expect(notified()).toEqual(['check late']);
});

it('checks dependents when their owner is deleted', () => {
  const { graph: owners, put, notified } = graph();
  owners.complete();
  put('owner');
  put('first', [to('owner')]);
  put('second', [to('owner')]);
  expect(notified()).toEqual([]);
  owners.remove('owner');
  expect(notified()).toEqual(['check first', 'check second']);
  owners.remove('first');
  expect([...owners.dependents('owner')].map(({ uid }) => uid)).toEqual(['second']);
  owners.remove('second');
  expect(owners.hasDependents('owner')).toBe(false);
  expect(owners.size).toBe(0);
});

it('checks a foreground owner when its last blocking dependent is gone', () => {
  const { graph: owners, put, notified } = graph();
  put('owner');
  const holding = to('owner', { blockOwnerDeletion: true });
  put('gone', [holding]);
  put('unblocked', [holding]);
  put('released', [holding]);
  put('free', [to('owner')]);
  put('owner', [], foreground);
  expect(notified()).toEqual(['check owner', 'check gone', 'check unblocked', 'check released', 'check free']);
  put('owner', [], { ...foreground, resourceVersion: '2' });
  expect(notified()).toEqual([]);
  expect(owners.isBlocked('owner', never)).toBe(true);
  owners.remove('gone');
  put('unblocked', [to('owner')]);
  put('released');
  owners.remove('free');
  expect(notified().filter((said) => said === 'check owner')).toHaveLength(3);
  expect(owners.isBlocked('owner', never)).toBe(false);
});

it('does not let an object block itself, nor dependents that are never collected', () => {
  const { graph: owners, put } = graph();
  put('self', [to('self', { blockOwnerDeletion: true })]);
  expect(owners.isBlocked('self', never)).toBe(false);
  put('other', [to('self', { blockOwnerDeletion: true })]);
  expect(owners.isBlocked('self', never)).toBe(true);
  expect(owners.isBlocked('self', ({ metadata }) => metadata.name === 'other')).toBe(false);
});

it('starts orphaning once', () => {
  const { put, notified } = graph();
  put('owner', [], { finalizers: ['orphan'] });
  expect(notified()).toEqual([]);
  put('owner', [], orphan);
  put('owner', [], { ...orphan, resourceVersion: '2' });
  expect(notified()).toEqual(['orphan owner']);
});

it.each([
  ['another name', to('owner', { name: 'other' })],
  ['another kind', to('owner', { kind: 'Secret' })],
  ['another group', to('owner', { apiVersion: 'apps/v1' })],
])('does not confuse owners with the same uid: %s', (_, reference) => {
  const { graph: owners, put, notified } = graph();
  owners.complete();
  put('owner');
  put('child', [reference]);
  expect(notified()).toEqual(['check child']);
});

it('finds owners in the same namespace or in none', () => {
  const { graph: owners, put, notified } = graph();
  owners.complete();
  put('owner');
  owners.put(roles, { metadata: { name: 'role', uid: 'role' } });
  put('child', [to('owner'), to('role', { apiVersion: 'rbac/v2', kind: 'ClusterRole' })]);
  expect(notified()).toEqual([]);
  put('elsewhere', [to('owner')], { namespace: 'b' });
  expect(notified()).toEqual(['check elsewhere']);
});

it('rechecks dependents of owners of a new type', () => {
  const { graph: owners, put, notified } = graph();
  put('child', [to('gadget', { kind: 'Gadget' })]);
  put('other', [to('owner')]);
  owners.recheck(({ kind }) => kind === 'Gadget');
  expect(notified()).toEqual(['check child']);
});

it('keeps only the place of objects without owners', () => {
  const { graph: owners, put } = graph();
  put('plain', [], { resourceVersion: '1', labels: { a: 'b' } });
  expect(owners.get('plain')?.object).toEqual({ metadata: { name: 'plain', namespace: 'a', uid: 'plain' } });
  put('plain', [to('owner')], { resourceVersion: '2' });
  expect(owners.get('plain')?.object.metadata).toMatchObject({ resourceVersion: '2', ownerReferences: [to('owner')] });
  expect([...owners.uidsOf('ConfigMap.')]).toEqual(['plain']);
  put('plain', [], { resourceVersion: '3' });
  expect(owners.hasDependents('owner')).toBe(false);
  expect(owners.get('plain')?.object.metadata).not.toHaveProperty('ownerReferences');
  expect(owners.size).toBe(1);
  owners.remove('plain');
  expect(owners.get('plain')).toBeUndefined();
});

it('finds an owner without a namespace, and none in another namespace or of another type', () => {
  const { graph: owners, put } = graph();
  owners.put(roles, { metadata: { name: 'role', uid: 'role' } });
  put('map');
  const child = { metadata: { name: 'child', namespace: 'a' } };
  const role = to('role', { apiVersion: 'rbac/v1', kind: 'ClusterRole' });
  expect(owners.owner(role, child)?.uid).toBe('role');
  expect(owners.owner(to('map'), child)?.uid).toBe('map');
  expect(owners.owner(to('map'), { metadata: { namespace: 'b' } })).toBeUndefined();
  expect(owners.owner(to('map', { name: 'other' }), child)).toBeUndefined();
  expect(owners.owner(to('role'), child)).toBeUndefined();
});
