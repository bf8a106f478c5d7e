import { expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from '../client/index.ts';
import { startServer } from '../server/index.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };

async function startedClient(): Promise<{ client: Client; errors: string[] }> {
  const errors: string[] = [];
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  const log = { info: () => {}, error, flush: () => Promise.resolve() };
  const server = await startServer({ storage: 'memory', log });
  onTestFinished(() => server.stop());
  return { client: server.client, errors };
}

const isGone = (client: Client, name: string): Promise<void> =>
  vi.waitFor(() => expect(client.resource(namespaces).get(name)).rejects.toMatchObject({ code: 404 }), {
    timeout: 15_000,
    interval: 10,
  });

it('takes everything in a namespace away, and then the namespace', async () => {
  const { client, errors } = await startedClient();
  await client.resource(namespaces).create({ metadata: { name: 'doomed' } });
  await client.resource(namespaces).create({ metadata: { name: 'spared' } });
  for (const namespace of ['doomed', 'spared']) {
    await client.resource(configMaps, namespace).create({ metadata: { name: 'x' } });
    const labels = { a: 'b' };
    const containers = [{ name: 'c', image: 'registry.example/c:1' }];
    const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
    await client.resource(deployments, namespace).create({ metadata: { name: 'x' }, spec });
  }
  const marked = await client.resource(namespaces).delete('doomed');
  expect(marked).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
  await isGone(client, 'doomed');
  expect((await client.resource(configMaps, 'doomed').list()).items).toEqual([]);
  expect((await client.resource(deployments, 'doomed').list()).items).toEqual([]);
  expect((await client.resource(configMaps, 'spared').list()).items).toHaveLength(1);
  expect((await client.resource(deployments, 'spared').list()).items).toHaveLength(1);
  expect(errors).toEqual([]);
});

it('waits for what finalizers hold back, and lets nothing new in', async () => {
  const { client } = await startedClient();
  await client.resource(namespaces).create({ metadata: { name: 'held' } });
  const items = client.resource(configMaps, 'held');
  await items.create({ metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await items.create({ metadata: { name: 'free' } });
  await client.resource(namespaces).delete('held');
  await vi.waitFor(async () =>
    expect((await items.list()).items.map(({ metadata }) => metadata.name)).toEqual(['held']),
  );
  expect((await items.get('held')).metadata).toHaveProperty('deletionTimestamp');
  await expect(items.create({ metadata: { name: 'late' } })).rejects.toMatchObject({
    code: 403,
    message:
      'configmaps "late" is forbidden: unable to create new content in namespace held because it is being terminated',
    status: {
      details: {
        name: 'late',
        kind: 'configmaps',
        causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }],
      },
    },
  });
  await items.patch('held', { metadata: { finalizers: null } });
  await isGone(client, 'held');
});

it('frees the name', async () => {
  const { client } = await startedClient();
  await client.resource(namespaces).create({ metadata: { name: 'again' } });
  await client.resource(namespaces).delete('again');
  await isGone(client, 'again');
  // The name is free, and the new namespace is an ordinary one.
  await client.resource(namespaces).create({ metadata: { name: 'again' } });
  await client.resource(configMaps, 'again').create({ metadata: { name: 'x' } });
  expect(await client.resource(namespaces).get('again')).toMatchObject({ status: { phase: 'Active' } });
});
