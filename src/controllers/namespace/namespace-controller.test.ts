import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Client } from '../../client/index.ts';
import { type Server, startServer } from '../../server/index.ts';
import { runControllers } from '../controller-manager.ts';
import { namespaceController } from './namespace-controller.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };

const errors: string[] = [];
let server: Server;
let client: Client;
beforeAll(async () => {
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  server = await startServer({
    storage: 'memory',
    log: { info: () => {}, error, flush: () => Promise.resolve() },
    controllers: ['namespace-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  client = server.client;
});
afterAll(() => server.stop());
beforeEach(() => {
  errors.length = 0;
});

const isGone = (name: string, from = client): Promise<void> =>
  vi.waitFor(() => expect(from.resource(namespaces).get(name)).rejects.toMatchObject({ code: 404 }), {
    interval: 10,
  });

it('deletes the content of a namespace, and then the namespace', async () => {
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
  await isGone('doomed');
  expect((await client.resource(configMaps, 'doomed').list()).items).toEqual([]);
  expect((await client.resource(deployments, 'doomed').list()).items).toEqual([]);
  expect((await client.resource(configMaps, 'spared').list()).items).toHaveLength(1);
  expect((await client.resource(deployments, 'spared').list()).items).toHaveLength(1);
  expect(errors).toEqual([]);
});

it('reports what blocks the deletion, and continues when it is gone', async () => {
  await client.resource(namespaces).create({ metadata: { name: 'held' } });
  const items = client.resource(configMaps, 'held');
  await items.create({ metadata: { name: 'a', finalizers: ['example.com/one', 'example.com/two'] } });
  await items.create({ metadata: { name: 'b', finalizers: ['example.com/one'] } });
  await items.create({ metadata: { name: 'c' } });
  await client.resource(namespaces).delete('held');
  const conditions = async (): Promise<string[]> => {
    const { status } = await client.resource(namespaces).get('held');
    const found = (status as { conditions?: { type: string; status: string; reason: string; message: string }[] })
      .conditions;
    return (found ?? []).map(({ type, status: value, reason, message }) => `${type} ${value} ${reason}: ${message}`);
  };
  await vi.waitFor(async () =>
    expect(await conditions()).toEqual([
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/one in 2 resource instances, example.com/two in 1 resource instances',
    ]),
  );
  await items.patch('a', { metadata: { finalizers: ['example.com/two'] } });
  await items.patch('b', { metadata: { finalizers: null } });
  await vi.waitFor(async () =>
    expect((await conditions()).slice(3)).toEqual([
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/two in 1 resource instances',
    ]),
  );
  await items.patch('a', { metadata: { finalizers: null } });
  await isGone('held');
  expect(errors).toEqual([]);
});

it('does not wait for pods on nodes that do not exist', async () => {
  await client.resource(namespaces).create({ metadata: { name: 'lost' } });
  const containers = [{ name: 'c', image: 'registry.example/c:1' }];
  const pods = client.resource({ group: '', version: 'v1', resource: 'pods' }, 'lost');
  await pods.create({ metadata: { name: 'x' }, spec: { nodeName: 'nowhere', containers } });
  await client.resource(namespaces).delete('lost');
  await isGone('lost');
});

it('deletes a hundred objects', async () => {
  await client.resource(namespaces).create({ metadata: { name: 'full' } });
  const items = client.resource(configMaps, 'full');
  await Promise.all(Array.from({ length: 100 }, (_, index) => items.create({ metadata: { name: `c-${index}` } })));
  await client.resource(namespaces).delete('full');
  await isGone('full');
});

it('deletes hundreds of objects of five types', async () => {
  await client.resource(namespaces).create({ metadata: { name: 'full' } });
  const containers = [{ name: 'c', image: 'registry.example/c:1' }];
  const types = {
    configmaps: {},
    secrets: {},
    serviceaccounts: {},
    pods: { containers },
    services: { ports: [{ port: 1 }] },
  };
  for (const [resource, spec] of Object.entries(types)) {
    const items = client.resource({ group: '', version: 'v1', resource }, 'full');
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        items.create({ metadata: { name: `x-${index}` }, ...(Object.keys(spec).length > 0 && { spec }) }),
      ),
    );
  }
  await client.resource(namespaces).delete('full');
  await isGone('full');
  expect(errors).toEqual([]);
});

it('waits for objects with finalizers, and admits no new ones', async () => {
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
  await isGone('held');
});

it('also deletes objects that were admitted before and stored after', async () => {
  const without = await startServer({ storage: 'memory', controllers: [] });
  onTestFinished(() => without.stop());
  let missed = 0;
  // Deletes collections early, so that objects that were admitted before arrive later.
  const early = new Client(async (request) => {
    const isCollection = request.method === 'DELETE' && request.path.endsWith('/configmaps');
    if (!isCollection || missed++ >= 6) return without.client.fetch(request);
    return { status: 200, headers: {}, body: empty() };
  });
  const stop = new AbortController();
  const report = ({ message }: Error): void => void errors.push(message);
  const options = { client: early, controllers: [namespaceController()], identity: 'x', version: '1', report };
  const done = runControllers(options, stop.signal);
  onTestFinished(() => {
    stop.abort();
    return done;
  });
  await without.client.resource(namespaces).create({ metadata: { name: 'late' } });
  await without.client.resource(configMaps, 'late').create({ metadata: { name: 'x' } });
  await without.client.resource(namespaces).delete('late');
  await isGone('late', without.client);
  expect(errors).toEqual([]);
});

async function* empty(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"items":[]}');
}

it('frees the name', async () => {
  await client.resource(namespaces).create({ metadata: { name: 'again' } });
  await client.resource(namespaces).delete('again');
  await isGone('again');
  // The name is available, and the new namespace is an ordinary one.
  await client.resource(namespaces).create({ metadata: { name: 'again' } });
  await client.resource(configMaps, 'again').create({ metadata: { name: 'x' } });
  expect(await client.resource(namespaces).get('again')).toMatchObject({ status: { phase: 'Active' } });
});
