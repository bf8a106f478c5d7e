import { expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../server/index.ts';

const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });

it('copies the rules of the selected roles', async () => {
  const server = await startServer({ storage: 'memory', controllers: ['clusterrole-aggregation-controller'] });
  onTestFinished(() => server.stop());
  const roles = server.client.resource(clusterRoles);
  const createRole = (name: string, labels: Record<string, string>, ...resources: string[]) =>
    roles.create({ metadata: { name, labels }, rules: resources.map(rule) });
  await createRole('b', { to: 'view' }, 'pods', 'nodes');
  await createRole('a', { to: 'view' }, 'secrets', 'pods');
  await createRole('c', { also: 'yes' }, 'events');
  await createRole('other', {}, 'services');
  const clusterRoleSelectors = [
    { matchExpressions: [{ key: 'also', operator: 'In', values: ['yes'] }] },
    { matchLabels: { to: 'view' } },
  ];
  await roles.create({
    metadata: { name: 'all', labels: { to: 'view' } },
    aggregationRule: { clusterRoleSelectors },
    rules: [],
  });
  const has = (...resources: string[]) =>
    vi.waitFor(async () => expect((await roles.get('all')).rules ?? []).toEqual(resources.map(rule)));
  await has('events', 'secrets', 'pods', 'nodes');
  const { managedFields } = (await roles.get('all')).metadata;
  expect(managedFields).toContainEqual(
    expect.objectContaining({
      manager: 'clusterrole-aggregation-controller',
      operation: 'Apply',
      fieldsV1: { 'f:rules': {} },
    }),
  );
  await roles.patch('a', { rules: [rule('secrets')] });
  await has('events', 'secrets', 'pods', 'nodes');
  await roles.delete('b');
  await has('events', 'secrets');
  await roles.patch('c', { metadata: { labels: { also: 'no' } } });
  await roles.delete('a');
  await has();
});
