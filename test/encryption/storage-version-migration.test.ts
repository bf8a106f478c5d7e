import { expect, it } from 'vitest';
import { EncryptedServer, identity, withKeys } from './encrypted-server.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
const confidential = 'correct horse battery staple';
const options = {
  runtimeConfig: 'storagemigration.k8s.io/v1beta1=true',
  controllers: ['storage-version-migrator-controller'],
};

const migration = (name: string, resource: object) => ({ metadata: { name }, spec: { resource } });

it.each<[which: string, plugins: string[]]>([
  ['with admission plugins', ['ServiceAccount']],
  ['without', ['ServiceAccount', 'ResourceQuota', 'LimitRanger', 'NamespaceLifecycle']],
])(
  'a StorageVersionMigration brings all objects under the present key, %s',
  async (_which, disableAdmissionPlugins) => {
    const server = await EncryptedServer.create();
    await server.configure([['secrets'], identity]);
    const names = Array.from({ length: 20 }, (_, index) => `s-${index}`);
    const plain = await server.start();
    for (const name of names) await plain.post(secrets, { metadata: { name }, stringData: { a: confidential } });
    await server.stop();
    await server.configure([['secrets'], withKeys('aesgcm', 'one'), identity]);
    const api = await server.start({ ...options, disableAdmissionPlugins });
    const before = (await api.get(secrets)).body;
    expect((await api.post(migrations, migration('secrets', { resource: 'secrets' }))).status).toBe(200);
    const status = async () => (await api.get(`${migrations}/secrets`)).body.status;
    await expect
      .poll(async () => (await status())?.conditions)
      .toMatchObject([
        { type: 'Running', status: 'False', reason: 'StorageVersionMigrationInProgress' },
        { type: 'Succeeded', status: 'True', reason: 'StorageVersionMigrationSucceeded' },
      ]);
    expect(Number((await status()).resourceVersion)).toBeGreaterThan(0);
    const after = (await api.get(secrets)).body;
    const versions = (list: typeof after): string[] =>
      list.items.map(({ metadata }: { metadata: { resourceVersion: string } }) => metadata.resourceVersion);
    for (const [index, version] of versions(after).entries()) expect(version).not.toBe(versions(before)[index]);
    // The objects have not changed in any other way.
    const content = (list: typeof after) =>
      list.items.map((item: { metadata: object }) => ({
        ...item,
        metadata: { ...item.metadata, resourceVersion: '' },
      }));
    expect(content(after)).toEqual(content(before));
    await server.stop();
    await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
    const strict = await server.start();
    expect((await strict.get(secrets)).body.items).toHaveLength(names.length);
  },
);

it('a StorageVersionMigration of what is not there fails', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['secrets'], identity]);
  const api = await server.start({ storage: 'memory', ...options });
  await api.post(migrations, migration('none', { group: 'example.com', resource: 'widgets' }));
  await expect
    .poll(async () => (await api.get(`${migrations}/none`)).body.status?.conditions)
    .toMatchObject([{ type: 'Failed', status: 'True', message: 'resource does not exist in discovery' }]);
});

it('a StorageVersionMigration fails at an object that cannot be read', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
  await (await server.start()).post(secrets, { metadata: { name: 'a' } });
  await server.stop();
  await server.configure([['secrets'], withKeys('aesgcm', 'two')]);
  const api = await server.start(options);
  await api.post(migrations, migration('secrets', { resource: 'secrets' }));
  await expect
    .poll(async () => (await api.get(`${migrations}/secrets`)).body.status?.conditions?.at(-1))
    .toMatchObject({ type: 'Failed', status: 'True' });
});
