import { expect, it, onTestFinished, vi } from 'vitest';
import { Client } from '../../client/index.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { startServer } from '../../server/index.ts';
import { ensureBootstrapPolicy } from './ensure-bootstrap-policy.ts';
import type { Role } from './policy-object.ts';
import { core, read, rule } from './policy-rule.ts';

const group = 'rbac.authorization.k8s.io';
const reference = (resource: string) => ({ group, version: 'v1', resource });
const kinds = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
const own = { labelSelector: 'kubernetes.io/bootstrapping=rbac-defaults' };

async function started(controllers = ['ttl-after-finished-controller']) {
  const server = await startServer({ storage: 'memory', controllers });
  onTestFinished(() => server.stop());
  return server.client;
}

async function withoutPolicy() {
  const client = await started();
  for (const kind of kinds.slice(0, 2)) await client.resource(reference(kind)).deleteCollection(own);
  for (const kind of kinds.slice(2)) {
    for (const namespace of ['kube-system', 'kube-public']) {
      await client.resource(reference(kind), namespace).deleteCollection(own);
    }
  }
  return client;
}

const reader = (client: Client): ObjectReader => ({
  get: (type, { namespace, name }) => client.resource(type, namespace).get(name),
  list: async (type) => (await client.resource(type).list()).items,
});
const ensurePolicy = (client: Client) => ensureBootstrapPolicy({ client, objects: reader(client) });

const lists = (client: Client) => Promise.all(kinds.map((kind) => client.resource<Role>(reference(kind)).list(own)));
const versions = async (client: Client) =>
  (await lists(client)).flatMap(({ items }) => items.map(({ metadata }) => metadata.resourceVersion));

it('creates everything once, also with two concurrent callers', async () => {
  const client = await withoutPolicy();
  await Promise.all([ensurePolicy(client), ensurePolicy(client)]);
  const before = await versions(client);
  expect(before.length).toBeGreaterThan(100);
  await ensurePolicy(client);
  expect(await versions(client)).toEqual(before);
});

it('restores missing rules and keeps added ones', async () => {
  const client = await started();
  await ensurePolicy(client);
  const roles = client.resource<Role>(reference('clusterroles'));
  const bindings = client.resource(reference('clusterrolebindings'));
  const mine = read('example.com', 'things');
  await roles.patch('system:kube-dns', { metadata: { labels: null }, rules: [mine] });
  await roles.patch('system:kube-aggregator', {
    metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
    rules: [mine],
  });
  await roles.delete('system:heapster');
  await bindings.delete('system:monitoring');
  await bindings.create({
    metadata: { name: 'system:monitoring' },
    subjects: [{ kind: 'User', name: 'mallory' }],
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
  });

  await ensurePolicy(client);

  const dns = await roles.get('system:kube-dns');
  expect(dns.metadata.labels).toEqual({ 'kubernetes.io/bootstrapping': 'rbac-defaults' });
  expect(dns.rules).toEqual([
    mine,
    rule('list', core, 'endpoints'),
    rule('watch', core, 'endpoints'),
    rule('list', core, 'services'),
    rule('watch', core, 'services'),
  ]);
  expect((await roles.get('system:kube-aggregator')).rules).toEqual([mine]);
  expect((await roles.get('system:heapster')).rules).toHaveLength(2);
  expect(await bindings.get('system:monitoring')).toMatchObject({
    subjects: [{ kind: 'Group', name: 'system:monitoring' }],
    roleRef: { name: 'system:monitoring' },
  });
});

it('retries after concurrent writes and deletes', async () => {
  const client = await started();
  await ensurePolicy(client);
  const roles = client.resource<Role>(reference('clusterroles'));
  await roles.patch('system:kube-dns', { rules: [] });
  await roles.patch('system:heapster', { rules: [] });
  const meddled = new Set<string>();
  const meddling = new Client(async (request) => {
    if (request.method === 'PUT' && !meddled.has(request.path)) {
      meddled.add(request.path);
      if (request.path.endsWith('heapster')) await roles.delete('system:heapster');
      else await roles.patch('system:kube-dns', { metadata: { labels: { mine: 'yes' } } });
    }
    return client.fetch(request);
  });
  await ensurePolicy(meddling);
  expect(meddled.size).toBe(2);
  const dns = await roles.get('system:kube-dns');
  expect(dns.metadata.labels).toMatchObject({ mine: 'yes' });
  expect(dns.rules).toHaveLength(4);
  expect((await roles.get('system:heapster')).rules).toHaveLength(2);
});

it('rejects for an object that cannot be written, after writing the others', async () => {
  const client = await withoutPolicy();
  const refusing = new Client((request) =>
    request.method === 'POST' && request.path.endsWith('/clusterroles')
      ? client.fetch({ ...request, body: '{}' })
      : client.fetch(request),
  );
  await expect(ensurePolicy(refusing)).rejects.toThrow('name or generateName is required');
  const [roles, ...others] = await lists(client);
  expect(roles?.items).toEqual([]);
  for (const { items } of others) expect(items).not.toEqual([]);
});

it('is completed by the aggregation of admin, edit and view', async () => {
  const client = await started(['clusterrole-aggregation-controller']);
  await ensurePolicy(client);
  const roles = client.resource<Role>(reference('clusterroles'));
  const rules = async (name: string) => (await roles.get(name)).rules ?? [];
  await vi.waitFor(async () => {
    const viewing = await rules('system:aggregate-to-view');
    const editing = await rules('system:aggregate-to-edit');
    expect(await rules('view')).toEqual(viewing);
    expect(await rules('edit')).toEqual([...editing, ...viewing]);
    expect(await rules('admin')).toEqual([...editing, ...viewing, ...(await rules('system:aggregate-to-admin'))]);
  });
});
