import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApi } from './api.ts';
import { definitionOf, definitions } from './custom-types.ts';
import { type ExtensionMode, ExtensionServer, fruitsService, recheck, untilCondition } from './extension-server.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'watch'];

let api: TestApi;
let extension: ExtensionServer;

beforeAll(async () => {
  api = await TestApi.start();
  extension = await ExtensionServer.start(api);
  await extension.register(api);
});
afterAll(async () => {
  await api.stop();
  await extension.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function groups(): Promise<any[]> {
  const { body } = await api.get('/apis', { headers: { accept: aggregated } });
  return body.items;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function fruitsVersion(): Promise<any> {
  return (await groups()).find(({ metadata }) => metadata.name === 'fruits.example.com')?.versions[0];
}

async function until(expected: object): Promise<void> {
  await vi.waitFor(async () => expect(await fruitsVersion()).toMatchObject(expected));
}

/**
 * Restarts the extension server in another mode. The server requests discovery when the extension server becomes
 * available, and then only every minute.
 */
async function restart(mode: ExtensionMode): Promise<void> {
  await extension.close();
  await recheck(api);
  await untilCondition(api, 'False');
  await until({ freshness: 'Stale' });
  await extension.mode(mode);
  await extension.listen();
  await recheck(api);
}

describe('OpenAPI', () => {
  const document = 'apis/fruits.example.com/v1';
  const apple = '/apis/fruits.example.com/v1/namespaces/{namespace}/apples/{name}';

  it('lists the document of another server, which answers for it', async () => {
    const url = async (): Promise<string | undefined> =>
      (await api.get('/openapi/v3')).body.paths[document]?.serverRelativeURL;
    await vi.waitFor(async () =>
      expect(await url()).toMatch(/^\/openapi\/v3\/apis\/fruits.example.com\/v1\?hash=[0-9A-F]{128}$/),
    );
    const { body } = await api.get((await url())!);
    expect(body.info.title).toBe('Fruits');
    expect(body.components.schemas['com.example.fruits.v1.AppleSpec'].properties).toHaveProperty('colour');
    expect((await api.get('/openapi/v3')).body.paths).toHaveProperty('apis/apps/v1');
  });

  it('contains its part of the Swagger document, with other names for definitions that differ', async () => {
    const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
    await vi.waitFor(async () => expect((await api.get('/openapi/v2')).body.paths).toHaveProperty([apple]));
    const { body } = await api.get('/openapi/v2');
    expect(body.paths[apple].get.responses['200'].schema).toEqual({
      $ref: '#/definitions/com.example.fruits.v1.Apple',
    });
    expect(body.definitions['com.example.fruits.v1.Apple'].properties).toMatchObject({
      metadata: { $ref: `#/definitions/${meta}_v2` },
      spec: { $ref: '#/definitions/com.example.fruits.v1.AppleSpec' },
    });
    expect(body.definitions[`${meta}_v2`].description).toBe('Metadata as this server knows it.');
    expect(body.definitions[meta].properties).toHaveProperty('managedFields');
    expect(body.definitions).not.toHaveProperty(['com.example.fruits.v1.Unused']);
    expect(body.paths['/api/v1/namespaces'].get.operationId).toBe('listCoreV1Namespace');
    const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const binary = await api.get('/openapi/v2', { headers: { accept } });
    expect(binary).toMatchObject({ status: 200, text: expect.stringContaining('Colour of the peel.') });
  });
});

describe('discovery', () => {
  it('contains the group of another server in both forms, by its priority', async () => {
    await until({
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'apples',
          scope: 'Namespaced',
          singularResource: 'apple',
          verbs,
          shortNames: ['ap'],
          responseKind: { group: 'fruits.example.com', version: 'v1', kind: 'Apple' },
          subresources: [{ subresource: 'status', verbs: ['get'] }],
        },
      ],
    });
    const { body } = await api.get('/apis');
    const names = body.groups.map(({ name }: { name: string }) => name);
    expect(names.at(-1)).toBe('fruits.example.com');
    expect((await groups()).map(({ metadata }) => metadata.name)).toEqual(names);
    expect((await api.get('/apis/fruits.example.com')).body).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'fruits.example.com',
      versions: [{ groupVersion: 'fruits.example.com/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'fruits.example.com/v1', version: 'v1' },
    });
    expect((await api.get('/')).body.paths).toContain('/apis/fruits.example.com/v1');

    await api.patch(fruitsService, { spec: { groupPriorityMinimum: 17790 } });
    const after = (await groups()).map(({ metadata }) => metadata.name);
    expect(after.indexOf('fruits.example.com')).toBe(after.indexOf('apps') + 1);
  });

  it('orders the versions of a group by their priorities, wherever they are served', async () => {
    const pears = definitionOf({ singular: 'pear', group: 'fruits.example.com', versions: ['v2'] });
    await api.post(definitions, pears);
    const preferred = async () => (await api.get('/apis/fruits.example.com')).body?.preferredVersion?.version;
    await vi.waitFor(async () => expect(await preferred()).toBe('v2'));
    await api.patch(fruitsService, { spec: { versionPriority: 200 } });
    expect(await preferred()).toBe('v1');
    await api.delete(`${definitions}/${pears.metadata.name}`);
    const versions = async () => (await api.get('/apis/fruits.example.com')).body.versions;
    await vi.waitFor(async () => expect(await versions()).toHaveLength(1));
  });

  it('keeps what it knows while the server is away, and says so', async () => {
    await restart('legacy');
    await until({
      freshness: 'Current',
      resources: [{ resource: 'apples', verbs, subresources: [{ subresource: 'status' }] }],
    });
  });

  it.each([
    ['invalid', { freshness: 'Stale', resources: [{ resource: 'apples' }] }],
    ['huge', { freshness: 'Stale', resources: [{ resource: 'apples' }] }],
    ['lying', { freshness: 'Current', resources: [] }],
    ['normal', { freshness: 'Current', resources: [{ resource: 'apples' }] }],
  ] as const)('handles a server that is %s', async (mode, expected) => {
    await restart(mode);
    await untilCondition(api, mode === 'huge' ? /./ : 'True');
    await until(expected);
    expect((await groups()).find(({ metadata }) => metadata.name === 'apps').versions[0].resources).not.toHaveLength(0);
  });

  it('does not call other servers for the request of a client', async () => {
    // The server requests discovery periodically, but not for each request.
    await vi.waitFor(async () => {
      await extension.take();
      await groups();
      await api.get('/apis/fruits.example.com');
      expect(await extension.take()).toEqual([]);
    });
  });

  it('forgets the group with its APIService', async () => {
    expect((await api.get('/openapi/v3')).body.paths).toHaveProperty('apis/fruits.example.com/v1');
    await api.delete(fruitsService);
    expect(await fruitsVersion()).toBeUndefined();
    expect((await api.get('/apis/fruits.example.com')).status).toBe(404);
    expect((await api.get('/apis/fruits.example.com/v1/apples')).status).toBe(404);
    expect((await api.get('/openapi/v3')).body.paths).not.toHaveProperty('apis/fruits.example.com/v1');
    expect(Object.keys((await api.get('/openapi/v2')).body.paths).join()).not.toContain('fruits.example.com');
  });
});
