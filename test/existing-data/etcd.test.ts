import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fetchedEtcds, newestEtcds } from '../../scripts/test-clients/etcd.ts';
import { type ServerOptions, startServer } from '../../src/index.ts';
import { openEtcdStorage } from '../../src/storage/etcd/open-etcd-storage.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openSnapshot } from '../../src/storage/snapshot/index.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import { objectFile } from './object-file.ts';
import { run, runHere } from './run-command.ts';
import { saveSnapshot } from './save-snapshot.ts';
import { clusterChanges, snapshotFile, stored } from './snapshot-file.ts';

const program = fetchedEtcds().at(-1);

describe.skipIf(program === undefined)('etcd', () => {
  let cluster: EtcdCluster;
  let servers = '';
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program: program! });
    servers = cluster.endpoints.join(',');
  });
  afterAll(() => cluster.stop());

  /** Opens the store with the unchanged bytes of etcd. */
  const raw = async (prefix: string): Promise<Storage> => {
    const storage = await openEtcdStorage({ endpoints: cluster.endpoints, prefix });
    onTestFinished(() => storage.close());
    return storage;
  };
  const serve = async (options: ServerOptions): Promise<TestApi> => {
    const dataDir = await temporaryDirectory();
    const api = await TestApi.start(
      { storage: 'etcd', etcdServers: cluster.endpoints, dataDir, ...options },
      startServer,
    );
    onTestFinished(() => api.stop());
    return api;
  };
  const ofKind = (value: Buffer | undefined): string => (value ?? Buffer.of()).toString('latin1', 0, 24);

  test('servers have data directories of their own', async () => {
    const dataDir = await temporaryDirectory();
    const api = await serve({ etcdPrefix: '/own', dataDir });
    const inUse = { code: 'InUse', message: expect.stringContaining('is in use by another server') };
    await expect(serve({ etcdPrefix: '/own', dataDir })).rejects.toMatchObject(inUse);
    await expect(startServer({ dataDir })).rejects.toMatchObject(inUse);
    await api.stop();
    await serve({ etcdPrefix: '/own', dataDir });
  });

  test('objects that another server has written are served, and written in its layout', async () => {
    const storage = await raw('/exchange');
    const objects = clusterChanges.filter(({ key, value }) => value !== undefined && !String(key).includes('sealed'));
    for (const { key, value } of objects) {
      if (key !== 'compact_rev_key')
        await storage.commit({ key: String(key), expected: 0, value: Buffer.from(value!) });
    }
    const api = await serve({ etcdPrefix: '/exchange' });
    expect((await api.get('/apis/example.com/v1/namespaces/shop/crontabs/nightly')).body).toMatchObject({
      spec: { cron: '0 2 * * *' },
    });
    expect((await api.get('/api/v1/namespaces/shop/configmaps/prices')).body.data).toEqual({ apple: '1' });

    const { status } = await api.call('POST', '/api/v1/namespaces/shop/configmaps', {
      body: { metadata: { name: 'new' } },
    });
    expect(status).toBe(200);
    const key = '/registry/configmaps/shop/new';
    const written = (await storage.get(key))!;
    const { body } = await api.get('/api/v1/namespaces/shop/configmaps/new');
    const { resourceVersion, ...metadata } = body.metadata;
    expect(resourceVersion).toBe(String(written.modRevision));
    expect(written.value).toEqual(stored(key, 1, { ...body, metadata }).value);
    // Values that are not objects stay unchanged.
    expect((await storage.get('/registry/ranges/serviceips'))?.value.toString()).toBe('k8s\0');
  });

  test.each([
    ['application/json', '{"kind":"Namespace","apiV'],
    ['application/yaml', 'apiVersion: v1\nkind: Nam'],
  ] as const)('built-in kinds are written as %s if this is wanted', async (storageMediaType, start) => {
    const etcdPrefix = `/${storageMediaType}`;
    const api = await serve({ etcdPrefix, storageMediaType });
    expect((await api.get('/api/v1/namespaces/default')).status).toBe(200);
    const storage = await raw(etcdPrefix);
    expect(ofKind((await storage.get('/registry/namespaces/default'))?.value)).toBe(start.slice(0, 24));
  });

  test('objects are imported and exported', async () => {
    const file = await objectFile(700);
    const own = ['--storage=etcd', `--etcd-servers=${servers}`, '--etcd-prefix=/imported', '--output=json'];
    const imported = await run('import', `--from=${file}`, ...own);
    expect(imported).toMatchObject({ code: 0 });
    expect(JSON.parse(imported.stdout)).toMatchObject({ copied: 700, verified: 700 });
    const storage = await raw('/imported');
    const all = await storage.range({ start: '/registry/', end: '/registry0' });
    expect(all.entries).toHaveLength(700);
    expect(new Set(all.entries.map(({ value }) => ofKind(value).slice(0, 4)))).toEqual(new Set(['k8s\0']));
    // A second import only verifies the objects. If they differ, it fails.
    expect(JSON.parse((await runHere('import', `--from=${file}`, ...own)).stdout)).toMatchObject({
      copied: 0,
      verified: 700,
    });
    expect(await runHere('import', `--from=${await snapshotFile()}`, '--skip-unreadable', ...own)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has other objects already'),
    });

    const dataDir = join(await temporaryDirectory(), 'data');
    const back = ['import', `--from=${servers}`, '--etcd-prefix=/imported', `--data-dir=${dataDir}`, '--output=json'];
    const again = await runHere(...back);
    expect(JSON.parse(again.stdout)).toMatchObject({
      verified: 700,
      digest: (JSON.parse(imported.stdout) as { digest: string }).digest,
    });
  });

  test('encrypted objects are imported, and served with another prefix', async () => {
    const directory = await temporaryDirectory();
    const configuration = join(directory, 'encryption.json');
    const keys = [{ name: 'one', secret: Buffer.alloc(32, 7).toString('base64') }];
    const providers = [{ aesgcm: { keys } }];
    const resources = [{ resources: ['configmaps'], providers }];
    const kind = { kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
    await writeFile(configuration, JSON.stringify({ ...kind, resources }));
    const file = await objectFile(3);
    const own = ['--storage=etcd', `--etcd-servers=${servers}`, '--etcd-prefix=/sealed', '--output=json'];
    const imported = await runHere('import', `--from=${file}`, `--encryption-provider-config=${configuration}`, ...own);
    expect(JSON.parse(imported.stdout)).toMatchObject({ copied: 3, verified: 3 });
    const storage = await raw('/sealed');
    const { entries } = await storage.range({ start: '/registry/configmaps/', end: '/registry/configmaps0' });
    expect(entries.map(({ value }) => ofKind(value).slice(0, 22))).toEqual(entries.map(() => 'k8s:enc:aesgcm:v1:one:'));
    const api = await serve({ etcdPrefix: '/sealed', encryptionProviderConfig: configuration });
    const { status, body } = await api.get('/api/v1/configmaps');
    expect([status, body.items.length]).toEqual([200, entries.length + 1]);
  });
});

describe.skipIf(program === undefined)('a snapshot of a real etcd', () => {
  test.each(newestEtcds())('has all objects of the suite $suite', async (etcd) => {
    const cluster = await EtcdCluster.start({ program: etcd });
    onTestFinished(() => cluster.stop());
    const storage = await openEtcdStorage({ endpoints: cluster.endpoints });
    onTestFinished(() => storage.close());
    const keyOf = (index: number): string => `/registry/configmaps/shop/n${String(index).padStart(4, '0')}`;
    const indexes = Array.from({ length: 300 }, (_, index) => index);
    const write = async (index: number, value: Buffer | undefined): Promise<void> => {
      const expected = (await storage.get(keyOf(index)))?.modRevision ?? 0;
      await storage.commit({ key: keyOf(index), expected, value });
    };
    await Promise.all(indexes.map((index) => write(index, Buffer.from('first'))));
    // Some values are larger than a page, and a third of them is deleted.
    const second = (index: number): Buffer => Buffer.alloc(1 + (index % 50) * 400, `v${index}`);
    await Promise.all(indexes.map((index) => write(index, index % 3 === 0 ? undefined : second(index))));

    const path = join(await temporaryDirectory(), 'snapshot.db');
    await saveSnapshot(cluster.endpoints[0]!, path);
    const snapshot = await openSnapshot(path);
    onTestFinished(() => snapshot.close());
    const all = { start: '/registry/', end: '/registry0' };
    const { entries, revision } = await snapshot.range(all);
    expect(snapshot.isHashed).toBe(true);
    expect({ entries, revision }).toEqual({ ...(await storage.range(all)), more: undefined });
    expect(entries).toHaveLength(200);
  });
});
