import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ExtensionResource, type ResourceObject, storedObjects } from '../../src/extension-server/index.ts';
import { openHandles } from '../process/leftovers.ts';
import { type ExtensionApi, extendCluster, startResources } from './extension-api.ts';

type Stored = ExtensionResource<ResourceObject>['backend'];

const widgets = (backend: Stored): ExtensionResource<ResourceObject> => ({
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { replicas: { type: 'integer', default: 1 }, colour: { type: 'string', enum: ['red', 'blue'] } },
        'x-kubernetes-validations': [
          { rule: 'self.replicas < 10 || self.colour == "red"', message: 'only red ones are that many' },
        ],
      },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    },
  },
  subresources: { status: true, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  backend,
});
const path = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, spec: object = { colour: 'red' }, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
});

describe('objects that the server keeps', () => {
  let extension: ExtensionApi;
  const api = () => extension.api;

  beforeAll(async () => {
    extension = await startResources([widgets(storedObjects({ storage: 'memory' }))]);
  });
  afterAll(() => extension.stop());

  it('can be created, changed, applied and deleted, and watchers see it', async () => {
    const watch = await api().watch(`${path}?watch=1&fieldSelector=metadata.name%3Da`);
    const created = await api().post(path, widget('a'));
    expect(created.status).toBe(201);
    expect(created.body.spec).toEqual({ colour: 'red', replicas: 1 });
    const { body } = await api().put(`${path}/a`, { ...created.body, spec: { colour: 'blue' } });
    expect(body.metadata.generation).toBe(2);
    const applied = await api().call('PATCH', `${path}/a?fieldManager=tester&force=true`, {
      body: widget('a', { replicas: 3 }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    expect(applied.body.spec).toEqual({ colour: 'blue', replicas: 3 });
    expect(applied.body.metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toContain('tester');
    const scaled = await api().patch(`${path}/a/scale`, { spec: { replicas: 4 } });
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
    expect((await api().delete(`${path}/a`)).body).toMatchObject({ status: 'Success' });
    expect(await watch.take(5)).toEqual(['ADDED a', 'MODIFIED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a']);
    watch.close();
  });

  it.each([
    [
      'an unknown colour',
      { colour: 'green' },
      'spec.colour: Unsupported value: "green": supported values: "red", "blue"',
    ],
    ['a broken rule', { colour: 'blue', replicas: 11 }, 'only red ones are that many'],
    ['a wrong type', { replicas: 'many' }, 'spec.replicas in body must be of type integer: "string"'],
  ])('are validated: %s', async (_what, spec, message) => {
    const { status, body } = await api().post(path, widget('b', spec));
    expect(status).toBe(422);
    expect(body.message).toContain(message);
    expect((await api().get(`${path}/b`)).status).toBe(404);
  });

  it('warn of unknown fields, or refuse them', async () => {
    const odd = { ...widget('c'), odd: true };
    const { headers, body } = await api().post(`${path}?dryRun=All`, odd);
    expect(headers.warning).toContain('unknown field \\"odd\\"');
    expect(body).not.toHaveProperty('odd');
    expect((await api().post(`${path}?fieldValidation=Strict`, odd)).status).toBe(400);
  });

  it('have versions that go on after a restart', async () => {
    const { resourceVersion } = (await api().get(path)).body.metadata;
    expect(Number(resourceVersion)).toBeGreaterThan(Date.UTC(2024) * 100);
    const { body } = await api().get(`${path}?watch=1&resourceVersion=5`);
    expect(body).toMatchObject({ code: 410, reason: 'Expired' });
  });

  it('end their watches when the server stops', async () => {
    const { server, api: direct } = await extendCluster(extension.cluster, [
      widgets(storedObjects({ storage: 'memory' })),
    ]);
    const watch = await direct.watch(`${path}?watch=1`);
    await Promise.all([server.stop(), server.stop()]);
    await watch.ended;
    expect(watch.endedCleanly).toBe(true);
    await direct.stop();
  });

  it('leave nothing behind when the server stops', async () => {
    const followed = { list: () => [], watch: () => Readable.from([]) };
    const resources = [
      widgets(storedObjects({ storage: 'memory' })),
      { kind: 'Gadget', plural: 'gadgets', backend: followed },
    ];
    const before = openHandles().length;
    const { api: direct, server } = await extendCluster(extension.cluster, resources);
    // The write makes the server follow the namespaces.
    expect((await direct.post(path, widget('a'))).status).toBe(201);
    const watch = await direct.watch(`${path}?watch=1`);
    expect(await watch.take(1)).toEqual(['ADDED a']);
    await server.stop();
    await watch.ended;
    await direct.stop();
    // The connections to the cluster are closed as well. Connections of earlier tests may still be closing.
    await vi.waitUntil(() => openHandles().length <= before);
  });

  it('are there again after a restart, if they are kept in a directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'keelson-extension-'));
    const kept = storedObjects({ storage: { directory: join(directory, 'store') } });
    const resources = [widgets(kept), { kind: 'Gadget', plural: 'gadgets', backend: kept }];
    const { cluster } = extension;
    try {
      const first = await extendCluster(cluster, resources);
      const created = await first.api.post(path, widget('kept'));
      await first.api.stop();
      expect(created.status).toBe(201);
      const second = await extendCluster(cluster, resources);
      expect((await second.api.get(`${path}/kept`)).body).toEqual(created.body);
      await expect(extendCluster(cluster, resources)).rejects.toMatchObject({ code: 'InUse' });
      await second.api.stop();
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
