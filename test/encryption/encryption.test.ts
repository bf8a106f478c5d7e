import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/index.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import type { TestApi } from '../wire/api.ts';
import { definitionOf, definitions, objectOf, pathOf } from '../wire/custom-types.ts';
import { EncryptedServer, identity, secretOf, withKeys } from './encrypted-server.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const unsafe = { body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
const reload = { encryptionProviderConfigAutomaticReload: true };

/** A text that no file may contain. */
const confidential = 'correct horse battery staple';
const encoded = Buffer.from(confidential).toString('base64');
const secret = (name: string) => ({
  metadata: { name, annotations: { hint: confidential } },
  stringData: { password: confidential },
});

async function passwordOf(api: TestApi, name: string): Promise<string> {
  return (await api.get(`${secrets}/${name}`)).body?.data?.password;
}

/** Writes the object unchanged, like `kubectl get -o json | kubectl replace -f -`. Returns whether it was stored. */
async function rewrite(api: TestApi, name: string): Promise<boolean> {
  const before = (await api.get(`${secrets}/${name}`)).body;
  const { status, body } = await api.put(`${secrets}/${name}`, before);
  expect(status).toBe(200);
  return body.metadata.resourceVersion !== before.metadata.resourceVersion;
}

/** Waits until the history before this revision has been compacted. */
async function compacted(api: TestApi, version: string): Promise<void> {
  const past = `/api/v1/secrets?resourceVersion=${version}&resourceVersionMatch=Exact`;
  await expect.poll(async () => (await api.get(past)).status).toBe(410);
}

it('leaves nothing readable in the files of the store', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['secrets'], withKeys('aescbc', 'one')], [['*.example.com'], withKeys('secretbox', 'two')]);
  let api = await server.start({ compactionRetentionMs: 100 });
  const { body } = await api.post(secrets, secret('a'));
  expect(body.data).toEqual({ password: encoded });
  await api.post('/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'open' },
    data: { a: 'plainly visible' },
  });
  await api.patch(`${secrets}/a`, { metadata: { labels: { changed: 'yes' } } });
  await api.post(secrets, secret('b'));
  await api.delete(`${secrets}/b`);
  const check = async (): Promise<void> => {
    for (const text of [confidential, encoded]) expect(await server.filesWith(text)).toEqual([]);
    expect(await server.filesWith('plainly visible')).not.toEqual([]);
  };
  await check();
  expect(await server.filesWith('k8s:enc:aescbc:v1:one:')).not.toEqual([]);
  await compacted(api, body.metadata.resourceVersion);
  await check();
  await server.stop();
  await check();
  api = await server.start();
  expect(await passwordOf(api, 'a')).toBe(encoded);
  expect((await api.get(secrets)).body.items).toHaveLength(1);
  await check();
});

it('replaces what was stored plainly before, on the next write', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['secrets'], identity]);
  let api = await server.start();
  const { body } = await api.post(secrets, secret('a'));
  await server.stop();
  expect(await server.filesWith(encoded)).not.toEqual([]);

  await server.configure([['secrets'], withKeys('aesgcm', 'one'), identity]);
  api = await server.start({ compactionRetentionMs: 100 });
  expect(await passwordOf(api, 'a')).toBe(encoded);
  expect([await rewrite(api, 'a'), await rewrite(api, 'a')]).toEqual([true, false]);
  await compacted(api, body.metadata.resourceVersion);
  // The write-ahead log of the database is emptied at the end of a compaction.
  await expect.poll(() => server.filesWith(encoded)).toEqual([]);

  await server.stop();
  await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
  api = await server.start();
  expect(await passwordOf(api, 'a')).toBe(encoded);
});

it('rotates keys by their order while it runs', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['secrets'], withKeys('aesgcm', 'old')]);
  const api = await server.start({ storage: 'memory', ...reload });
  await api.post(secrets, secret('a'));
  expect(await rewrite(api, 'a')).toBe(false);
  const reloaded = async (...keys: string[]): Promise<void> => {
    const count = server.logged.filter((line) => line.startsWith('encryption configuration reloaded')).length;
    await server.configure([['secrets'], withKeys('aesgcm', ...keys)]);
    await expect
      .poll(() => server.logged.filter((line) => line.startsWith('encryption configuration reloaded')).length)
      .toBe(count + 1);
  };
  // First, every server must be able to read values that others encrypt with the new key.
  await reloaded('old', 'new');
  expect(await rewrite(api, 'a')).toBe(false);
  await reloaded('new', 'old');
  expect([await rewrite(api, 'a'), await rewrite(api, 'a')]).toEqual([true, false]);
  await reloaded('new');
  expect(await passwordOf(api, 'a')).toBe(encoded);
  expect(await rewrite(api, 'a')).toBe(false);
  expect((await api.get('/readyz?verbose')).text).toContain('[+]kms-providers ok\n');
  for (const key of ['old', 'new']) expect(server.logged.join('\n')).not.toContain(secretOf(key));
});

it('goes on with the old configuration when the new one is invalid', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
  const api = await server.start({ storage: 'memory', ...reload });
  await api.post(secrets, secret('a'));
  const key = { name: 'two', secret: secretOf('two').slice(4) };
  await server.configure([['secrets'], { aesgcm: { keys: [key] } }]);
  await expect.poll(() => server.logged.join('\n')).toContain('encryption configuration not reloaded');
  expect(server.logged.join('\n')).toContain('secret is not of the expected length, got 29');
  expect(server.logged.join('\n')).not.toContain(key.secret);
  expect((await api.post(secrets, secret('b'))).status).toBe(200);
  expect([await passwordOf(api, 'a'), await passwordOf(api, 'b')]).toEqual([encoded, encoded]);
});

describe('without the key of an object', () => {
  const noKey = 'no matching key was found for the provided AES transformer';

  async function lost() {
    const server = await EncryptedServer.create();
    await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
    await (await server.start()).post(secrets, secret('a'));
    await server.stop();
    await server.configure([['secrets'], withKeys('aesgcm', 'two')]);
    const api = await server.start(reload);
    await api.post(secrets, secret('b'));
    return { server, api };
  }

  it('the object is corrupt, others are not, and it can be deleted', async () => {
    const { api } = await lost();
    const read = await api.get(`${secrets}/a`);
    const key = '/registry/secrets/default/a';
    expect(read.body).toMatchObject({ code: 500, reason: 'StorageReadError', details: { name: key } });
    expect(read.body.message).toBe(`failed to read one or more secrets from the storage: ${key}: ${noKey}`);
    expect(await passwordOf(api, 'b')).toBe(encoded);
    expect((await api.get(secrets)).body.reason).toBe('StorageReadError');
    expect((await api.get('/readyz?verbose')).text).toContain('stored-objects ok: 1 corrupt (secrets: 1)');
    expect((await api.put(`${secrets}/a`, secret('a'))).status).toBe(500);
    expect((await api.delete(`${secrets}/a`)).status).toBe(500);
    expect((await api.delete(`${secrets}/a`, unsafe)).status).toBe(200);
    expect((await api.get(secrets)).body.items).toHaveLength(1);
    expect((await api.post(secrets, secret('a'))).status).toBe(200);
  });

  it('the object is readable again as soon as the key is back', async () => {
    const { server, api } = await lost();
    expect((await api.get(`${secrets}/a`)).status).toBe(500);
    await server.configure([['secrets'], withKeys('aesgcm', 'two', 'one')]);
    // Each thread reloads the objects independently.
    const often = Array.from({ length: testedThreads === 1 ? 1 : 8 * testedThreads });
    await expect
      .poll(async () => new Set(await Promise.all(often.map(() => passwordOf(api, 'a')))))
      .toEqual(new Set([encoded]));
    expect((await api.get(secrets)).body.items).toHaveLength(2);
    await expect.poll(async () => (await api.get('/readyz?verbose')).text).not.toContain('stored-objects');
    expect(await rewrite(api, 'a')).toBe(true);
  });

  it('the object is corrupt for a server without any configuration, too', async () => {
    const server = await EncryptedServer.create();
    await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
    await (await server.start()).post(secrets, secret('a'));
    await server.stop();
    const api = await server.start({ encryptionProviderConfig: undefined });
    const { body } = await api.get(`${secrets}/a`);
    expect(body.reason).toBe('StorageReadError');
    expect(body.message).toContain('identity transformer tried to read encrypted data');
  });
});

it('encrypts every kind of object, and starts again with all of them', async () => {
  const server = await EncryptedServer.create();
  await server.configure([['*.*'], withKeys('secretbox', 'one')]);
  let api = await server.start();
  const before = (await api.get('/apis/rbac.authorization.k8s.io/v1/clusterroles')).body.items.length;
  const definition = definitionOf({ singular: 'widget' });
  expect((await api.post(definitions, definition)).status).toBe(200);
  const widgets = pathOf(definition);
  const widget = objectOf(definition, 'a', { spec: { note: confidential } });
  await expect.poll(async () => (await api.post(widgets, widget)).status).toBe(200);
  await server.stop();
  // The stored record of node ports is not an object and has no uid.
  for (const text of ['"uid"', confidential, 'ClusterRole"']) expect(await server.filesWith(text)).toEqual([]);
  api = await server.start();
  await expect.poll(async () => (await api.get(`${widgets}/a`)).body.spec?.note).toBe(confidential);
  expect((await api.get('/apis/rbac.authorization.k8s.io/v1/clusterroles')).body.items).toHaveLength(before);
  expect((await api.get('/readyz')).text).toBe('ok');
});

it.each<[what: string, content: string, message: RegExp]>([
  ['no content', '', /^encryption configuration: the file is empty$/],
  [
    'another kind',
    'kind: Secret\napiVersion: v1',
    /^encryption configuration: must be of kind "EncryptionConfiguration"/,
  ],
])('does not start with a file with %s', async (_what, content, message) => {
  const server = await EncryptedServer.create();
  await writeFile(server.configFile, content);
  await expect(server.start()).rejects.toThrow(message);
});

it('does not start without the file', async () => {
  const server = await EncryptedServer.create();
  await expect(server.start()).rejects.toThrow(/^encryption-provider-config: ENOENT/);
  await expect(startServer({ storage: 'memory', ...reload })).rejects.toThrow(
    new RangeError('an encryption configuration is needed to reload it'),
  );
});
