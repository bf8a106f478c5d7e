import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { widgetDefinition } from '../../test/wire/custom-types.ts';
import { type ResourceObject, startTestServer, type TestServer } from './index.ts';

const configMapsType = { group: '', version: 'v1', resource: 'configmaps' };
const servicesType = { group: '', version: 'v1', resource: 'services' };
const slicesType = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const namespacesType = { group: '', version: 'v1', resource: 'namespaces' };
const definitionsType = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const widgetsType = { group: 'example.com', version: 'v1', resource: 'widgets' };
const rolesType = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const configMaps = (of = server) => of.client.resource<ResourceObject & { data?: object }>(configMapsType, 'default');
const names = async (of = server) =>
  (await configMaps(of).list()).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt');

test('a test server keeps its objects in memory and ends with its block', async () => {
  let url: string;
  {
    await using own = await startTestServer();
    url = own.url;
    expect(own.dataDir).toBeUndefined();
    await expect(configMaps(own).create({ metadata: { name: 'a' } })).resolves.toMatchObject({
      metadata: { name: 'a' },
    });
  }
  await expect(fetch(url)).rejects.toThrow();
});

describe('fork', () => {
  test('has the objects, the revisions and the credentials of its parent, and goes its own way', async () => {
    const before = await configMaps().create({ metadata: { name: 'shared' }, data: { a: '1' } });
    await using fork = await server.fork();
    expect(fork.url).not.toBe(server.url);
    // Clients of the parent only need another address.
    expect(fork.kubeconfig.replace(fork.url, server.url)).toBe(server.kubeconfig);
    expect(await configMaps(fork).get('shared')).toEqual(before);
    const after = await configMaps(fork).patch('shared', { data: { a: '2' } });
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    await configMaps(fork).create({ metadata: { name: 'forked' } });
    await configMaps().create({ metadata: { name: 'parent' } });
    expect(await names(fork)).toEqual(['forked', 'shared']);
    expect(await names()).toEqual(['parent', 'shared']);
    expect(await configMaps().get('shared')).toEqual(before);
    // Objects that contain the address of the server contain that of the fork.
    const port = Number(new URL(fork.url).port);
    for (const type of [servicesType, { ...servicesType, resource: 'endpoints' }, slicesType]) {
      const [mine, parents] = await Promise.all(
        [fork, server].map(async ({ client }) =>
          JSON.stringify(await client.resource(type, 'default').get('kubernetes')),
        ),
      );
      expect([type, mine!.includes(`ort":${port}`), parents!.includes(`ort":${port}`)]).toEqual([type, true, false]);
    }
    // A fork of a fork, and the controllers of each.
    await using second = await fork.fork();
    await second.client
      .resource(namespacesType)
      .delete('default')
      .catch(() => {});
    await second.client.resource(namespacesType).create({ metadata: { name: 'only-here' } });
    const account = { group: '', version: 'v1', resource: 'serviceaccounts' };
    await expect.poll(() => second.client.resource(account, 'only-here').list()).toMatchObject({ items: [{}] });
    await expect(fork.client.resource(namespacesType).get('only-here')).rejects.toMatchObject({ code: 404 });
  });

  test('obeys its own roles, although it has read those of its parent', async () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    await server.client.resource(rolesType).create({ metadata: { name: 'reader' }, rules });
    const bindings = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
    await server.client.resource(bindings).create({
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    });
    const mayRead = async ({ client }: TestServer) => {
      const reviews = client.resource<ResourceObject & { status?: { allowed: boolean } }>({
        group: 'authorization.k8s.io',
        version: 'v1',
        resource: 'subjectaccessreviews',
      });
      const spec = { user: 'ann', resourceAttributes: { verb: 'get', resource: 'pods' } };
      return (await reviews.create({ metadata: {}, spec })).status?.allowed;
    };
    await using fork = await server.fork();
    await server.client.resource(rolesType).patch('reader', { rules: [] });
    expect([await mayRead(server), await mayRead(fork)]).toEqual([false, true]);
    await fork.client.resource(rolesType).patch('reader', { metadata: { labels: { a: 'b' } }, rules });
    expect([await mayRead(server), await mayRead(fork)]).toEqual([false, true]);
    await fork.client.resource(bindings).delete('reader');
    expect(await mayRead(fork)).toBe(false);
  });
});

describe('restore', () => {
  test('brings back objects, definitions, service addresses and roles, at higher revisions', async () => {
    const { client } = server;
    const services = client.resource<ResourceObject & { spec: { clusterIP?: string; ports: object[] } }>(
      servicesType,
      'default',
    );
    const kept = await configMaps().create({ metadata: { name: 'kept' }, data: { a: '1' } });
    const untouched = await configMaps().create({ metadata: { name: 'untouched' } });
    await client.resource(rolesType).create({ metadata: { name: 'kept' }, rules: [] });
    const service = await services.create({ metadata: { name: 'kept' }, spec: { ports: [{ port: 80 }] } });
    const snapshot = await server.snapshot();

    await configMaps().patch('kept', { data: { a: '2' } });
    await client.resource(rolesType).delete('kept');
    await client.resource(definitionsType).create(widgetDefinition);
    await expect
      .poll(() =>
        client
          .resource(widgetsType, 'default')
          .create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }),
      )
      .toBeDefined();
    await services.delete('kept');
    const clusterIP = service.spec.clusterIP!;
    await services.create({ metadata: { name: 'thief' }, spec: { clusterIP, ports: [{ port: 80 }] } });
    const last = await configMaps().create({ metadata: { name: 'late' } });

    await server.restore(snapshot);
    const restored = await configMaps().get('kept');
    expect(restored).toMatchObject({ data: { a: '1' }, metadata: { uid: kept.metadata.uid } });
    expect(Number(restored.metadata.resourceVersion)).toBeGreaterThan(Number(last.metadata.resourceVersion));
    expect(await configMaps().get('untouched')).toEqual(untouched);
    await expect(configMaps().get('late')).rejects.toMatchObject({ code: 404 });
    await expect(client.resource(rolesType).get('kept')).resolves.toBeDefined();
    await expect
      .poll(() =>
        client
          .resource(widgetsType, 'default')
          .list()
          .catch(({ code }) => code),
      )
      .toBe(404);
    // The address belongs to its first owner again.
    const again = services.create({ metadata: { name: 'again' }, spec: { clusterIP, ports: [{ port: 80 }] } });
    await expect(again).rejects.toMatchObject({ code: 422 });
    // Restores twice, after a compaction, and when nothing has changed.
    await server.restore(snapshot);
    await configMaps().delete('kept');
    await server.restore(snapshot, { watches: 'expire' });
    await server.restore(snapshot);
    expect((await configMaps().get('kept')).data).toEqual({ a: '1' });
  });

  test.each(['events', 'expire'] as const)('tells watches: %s', async (watches) => {
    const snapshot = await server.snapshot();
    const created = await configMaps().create({ metadata: { name: `watched-${watches}` } });
    const { resourceVersion } = created.metadata;
    const stop = new AbortController();
    const seen: string[] = [];
    const ended = (async () => {
      for await (const { type, object } of configMaps().watch({ resourceVersion }, stop.signal)) {
        seen.push(`${type} ${(object as ResourceObject).metadata.name ?? (object as { reason?: string }).reason}`);
        if (type === 'DELETED' || type === 'ERROR') return;
      }
    })();
    await configMaps().patch(`watched-${watches}`, { data: { a: 'b' } });
    await expect.poll(() => seen).toHaveLength(1);
    await server.restore(snapshot, { watches });
    await ended;
    stop.abort();
    const expectedEvent = watches === 'events' ? `DELETED watched-${watches}` : 'ERROR Expired';
    expect(seen).toEqual([`MODIFIED watched-${watches}`, expectedEvent]);
    if (watches === 'expire') await expect(firstEvent(resourceVersion!)).rejects.toMatchObject({ code: 410 });
  });

  async function firstEvent(resourceVersion: string): Promise<unknown> {
    for await (const event of configMaps().watch({ resourceVersion }, AbortSignal.timeout(60_000))) return event;
    return undefined;
  }
});

test('a report tells what changed and who did it', async () => {
  const since = await server.snapshot();
  await configMaps().create({ metadata: { name: 'reported' } });
  await server.client.resource({ group: '', version: 'v1', resource: 'secrets' }, 'default').create({
    metadata: { name: 'hidden' },
    stringData: { password: 'do not show' },
  });
  const { changed, requests } = await server.report(since);
  expect(changed.map(({ key, change }) => `${change} ${key}`)).toContain('created configmaps/default/reported');
  expect(requests.map(({ method, status }) => `${method} ${status}`)).toEqual(['POST 200', 'POST 200']);
  const text = await server.describe(since);
  expect(text).toContain('created secrets/default/hidden');
  expect(text).not.toContain(Buffer.from('do not show').toString('base64'));
  await server.restore(since);
});

test('quiet is when nobody works and nothing is written', async () => {
  await server.client.resource(namespacesType).create({ metadata: { name: 'doomed' } });
  const doomed = server.client.resource(configMapsType, 'doomed');
  for (let count = 0; count < 20; count++) await doomed.create({ metadata: { name: `c${count}` } });
  await server.client.resource(namespacesType).delete('doomed');
  await server.untilQuiet();
  await expect(server.client.resource(namespacesType).get('doomed')).rejects.toMatchObject({ code: 404 });
  let isWriting = true;
  const writing = (async () => {
    for (let count = 0; isWriting; count++) {
      await configMaps().patch('shared', { data: { count: `${count}` } });
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await expect(server.untilQuiet({ timeoutMs: 200 })).rejects.toThrow('the server is not quiet after 200 ms');
  isWriting = false;
  await writing;
  const { metadata } = await configMaps().get('shared');
  await server.untilSeen('keelson', metadata.resourceVersion!);
});
