import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestApi } from '../wire/api.ts';
import { ScrapedMetrics } from '../wire/scraped-metrics.ts';
import { DamagedStore } from './damaged-store.ts';

const unsafe = { body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
const cut = { change: (value: Buffer) => value.subarray(0, -1) };
const all = '/api/v1/configmaps';
const maps = '/api/v1/namespaces/ill/configmaps';
const well = '/api/v1/namespaces/well/configmaps';
const key = '/registry/configmaps/ill/m';
const corrupt = { code: 500, reason: 'StorageReadError' };

let dataDir: string;
let api: TestApi;
/** The versions of the first and of the corrupt revision of the config map in the namespace `history`. */
let versions: { readonly start: string; readonly damaged: number };

const start = (controllers: string[] = []): Promise<TestApi> =>
  TestApi.start({ storage: 'embedded', dataDir, controllers, featureGates: 'AllowUnsafeMalformedObjectDeletion=true' });

/**
 * Starts a server whose file has a corrupt config map between valid ones, a corrupt limit range, and a corrupt old
 * revision.
 */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'keelson-corrupt-'));
  const before = await start(['namespace-controller']);
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keelson-controllers';
  await vi.waitFor(async () => expect((await before.get(lease)).status).toBe(200));
  await before.configMaps('well', { a: {}, b: { app: 'x' } });
  await before.configMaps('ill', { a: {}, b: {}, m: { app: 'x' }, y: {}, z: {} });
  const past = await before.configMaps('history', { old: {} });
  const first = await before.get(`${past}/old`);
  const second = await before.patch(`${past}/old`, { data: { a: '1' } });
  await before.patch(`${past}/old`, { data: { a: '2' } });
  versions = {
    start: first.body.metadata.resourceVersion,
    damaged: Number(second.body.metadata.resourceVersion),
  };
  const limits = { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } };
  await before.post('/api/v1/namespaces/ill/limitranges', { metadata: { name: 'l' }, ...limits });
  for (const namespace of ['well', 'ill']) {
    await before.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  await before.stop();
  const store = new DamagedStore(dataDir);
  store.damage(key, cut);
  store.damage('/registry/limitranges/ill/l', cut);
  store.damageRevision(versions.damaged, Buffer.from('{'));
  store.close();
  api = await start();
});
afterAll(async () => {
  await api.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('are counted', async () => {
  await api.get(well);
  await expect
    .poll(async () =>
      (await ScrapedMetrics.of(api)).value('apiserver_storage_decode_errors_total', { resource: 'configmaps' }),
    )
    .toBe(1);
});

describe('a list', () => {
  it.each([
    ['of another namespace', well, 2],
    ['of another name', `${maps}?fieldSelector=metadata.name=a`, 1],
    ['of another name in all namespaces', `${all}?fieldSelector=metadata.name=b`, 2],
    ['of another namespace by a selector', `${all}?fieldSelector=metadata.namespace=well`, 2],
    ['of all but the corrupt name', `${maps}?fieldSelector=metadata.name!=m`, 4],
  ])('%s is whole', async (_what, path, count) => {
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(count);
  });

  it.each([
    ['of the namespace', maps, '/registry/configmaps/ill/'],
    ['of all namespaces', all, '/registry/configmaps/'],
    ['of labels that it may have', `${maps}?labelSelector=app=x`, '/registry/configmaps/ill/'],
    ['of its name', `${maps}?fieldSelector=metadata.name=m`, key],
    [
      'with its state streamed',
      `${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      '/registry/configmaps/ill/',
    ],
  ])('%s names the key', async (_what, path, name) => {
    const { status, body } = await api.get(path);
    expect(status).toBe(500);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `failed to read one or more configmaps from the storage: ${key}: the checksum does not match the value`,
      reason: 'StorageReadError',
      details: {
        name,
        kind: 'configmaps',
        causes: [
          {
            reason: 'UnexpectedServerResponse',
            message: expect.stringContaining(`StorageError: corrupt object, Code: 7, Key: ${key}, `),
            field: key,
          },
        ],
      },
      code: 500,
    });
  });

  it.each([1, 2])('in pages of %i is served up to the corrupt object', async (limit) => {
    const names: string[] = [];
    let token = '';
    for (;;) {
      const { body } = await api.get(`${maps}?limit=${limit}&continue=${token}`);
      if (body.kind === 'Status') {
        expect(body).toMatchObject(corrupt);
        break;
      }
      names.push(...body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name));
      expect(body.metadata.remainingItemCount).toBe(5 - names.length);
      token = body.metadata.continue;
    }
    expect(names).toEqual(['a', 'b']);
  });
});

it('cannot be changed, and is not lost by trying', async () => {
  const path = `${maps}/m`;
  const object = { metadata: { name: 'm' }, data: { a: 'b' } };
  const apply = {
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...object },
    headers: { 'content-type': 'application/apply-patch+yaml' },
  };
  for (const response of [
    await api.put(path, object),
    await api.patch(path, { data: { a: 'b' } }),
    await api.call('PATCH', `${path}?fieldManager=x`, apply),
    await api.delete(path),
    await api.delete(path, { body: { dryRun: ['All'] } }),
    await api.delete(maps),
    await api.get(path),
  ]) {
    expect(response.body).toMatchObject(corrupt);
    expect(response.body.message).toContain(key);
  }
  for (const query of ['', '?dryRun=All']) {
    expect((await api.post(maps + query, object)).body).toMatchObject({ code: 409, reason: 'AlreadyExists' });
  }
  expect((await api.get(`${maps}/a`)).status).toBe(200);
});

it('does not prevent pods, even if a limit range cannot be read', async () => {
  const pod = {
    metadata: { generateName: 'p-' },
    spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }] },
  };
  for (const namespace of ['well', 'ill']) {
    expect((await api.post(`/api/v1/namespaces/${namespace}/pods`, pod)).status).toBe(200);
  }
});

describe('a watch', () => {
  it('continues for the others when it begins with the present state', async () => {
    const watch = await api.watch(`${maps}?watch=true`);
    onTestFinished(() => watch.close());
    const names: string[] = [];
    for (let count = 0; count < 4; count++) names.push((await watch.next())!.object.metadata.name);
    expect(names).toEqual(['a', 'b', 'y', 'z']);
    await api.patch(`${maps}/z`, { data: { at: String(Math.random()) } });
    expect(await watch.next()).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'z' } } });
  });

  it('ends with an error when it begins before a damaged revision, and the process continues', async () => {
    const from = `/api/v1/namespaces/history/configmaps?watch=true&resourceVersion=${versions.start}`;
    const watch = await api.watch(from);
    expect(await watch.next()).toMatchObject({
      type: 'ERROR',
      object: { ...corrupt, details: { causes: [{ field: '/registry/configmaps/history/old' }] } },
    });
    await watch.ended;
    const present = await api.get('/api/v1/namespaces/history/configmaps/old');
    expect(present.body.data).toEqual({ a: '2' });
    const other = await api.watch(`${well}?watch=true&resourceVersion=${versions.start}&timeoutSeconds=1`);
    await other.ended;
    const past = `resourceVersion=${versions.damaged}&resourceVersionMatch=Exact`;
    expect((await api.get(`/api/v1/namespaces/history/configmaps?${past}`)).body).toMatchObject(corrupt);
    expect((await api.get(`${well}?${past}`)).status).toBe(200);
  });
});

describe('the unsafe delete', () => {
  it('needs a permission of its own', async () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'delete'] }];
    await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/ill/roles', {
      metadata: { name: 'r' },
      rules,
    });
    await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/ill/rolebindings', {
      metadata: { name: 'r' },
      subjects: [{ kind: 'User', name: 'dora', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' },
    });
    const { body } = await api.delete(`${maps}/m`, { ...unsafe, headers: { 'impersonate-user': 'dora' } });
    expect(body).toMatchObject({ code: 403, message: expect.stringContaining('unsafe-delete-ignore-read-errors') });
  });

  it('ends watches that may include the object with an error, and no others', async () => {
    const watching = await Promise.all(
      [maps, `${maps}?labelSelector=app=x`, all, `${maps}?fieldSelector=metadata.name=m`].map((path) =>
        api.watch(`${path}${path.includes('?') ? '&' : '?'}watch=true&resourceVersion=${versions.damaged + 1}`),
      ),
    );
    const others = await Promise.all(
      [`${well}?watch=true`, `${maps}?watch=true&fieldSelector=metadata.name=z`].map((path) => api.watch(path)),
    );
    onTestFinished(() => {
      for (const watch of others) watch.close();
    });
    const { status, body } = await api.delete(`${maps}/m`, unsafe);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'm', kind: 'configmaps' },
      code: 200,
    });
    for (const watch of watching) {
      let event = await watch.next();
      while (event !== undefined && event.type !== 'ERROR') event = await watch.next();
      expect(event?.object).toMatchObject({ ...corrupt, details: { causes: [{ field: key }] } });
      await watch.ended;
    }
    await api.patch(`${well}/a`, { data: { last: 'yes' } });
    await api.patch(`${maps}/z`, { data: { last: 'yes' } });
    for (const watch of others) {
      let event = await watch.next();
      while (event?.object.data?.last !== 'yes') {
        expect(event).toMatchObject({ type: expect.stringMatching('ADDED|MODIFIED') });
        event = await watch.next();
      }
    }
    // A watch that starts before the deletion also receives the error.
    const resumed = await api.watch(`${maps}?watch=true&resourceVersion=${versions.damaged + 1}`);
    let event = await resumed.next();
    while (event !== undefined && event.type !== 'ERROR') event = await resumed.next();
    expect(event?.object).toMatchObject(corrupt);
    expect((await api.get(maps)).body.items).toHaveLength(4);
    expect((await api.post(maps, { metadata: { name: 'm' } })).status).toBe(200);
    expect((await api.get(maps)).body.items).toHaveLength(5);
  });
});

it('blocks the deletion of its namespace, which reports it, until it is deleted', async () => {
  await api.stop();
  const store = new DamagedStore(dataDir);
  store.damage('/registry/configmaps/ill/y', cut);
  // The controllers run although their lease is corrupt, because no other server can hold it.
  store.damage('/registry/leases/kube-system/keelson-controllers', cut);
  store.close();
  api = await start(['*']);
  await api.delete('/api/v1/namespaces/ill');
  const contentFailure = async (): Promise<string | undefined> => {
    const { body } = await api.get('/api/v1/namespaces/ill');
    const found = body.status?.conditions?.find(
      ({ type }: { type: string }) => type === 'NamespaceDeletionContentFailure',
    );
    return found?.status === 'True' ? found.message : undefined;
  };
  await vi.waitFor(async () => expect(await contentFailure()).toContain('/registry/configmaps/ill/y'));
  expect(await contentFailure()).toContain('/registry/limitranges/ill/l');
  expect((await api.delete(`${maps}/y`, unsafe)).status).toBe(200);
  expect((await api.delete('/api/v1/namespaces/ill/limitranges/l', unsafe)).status).toBe(200);
  await vi.waitFor(async () => expect((await api.get('/api/v1/namespaces/ill')).status).toBe(404));
});
