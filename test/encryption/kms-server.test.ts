import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { TestApi } from '../wire/api.ts';
import { ScrapedMetrics } from '../wire/scraped-metrics.ts';
import { EncryptedServer, identity, withKeys } from './encrypted-server.ts';
import { KmsPlugin } from './kms-plugin.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const confidential = 'correct horse battery staple';
const encoded = Buffer.from(confidential).toString('base64');
const secret = (name: string) => ({ metadata: { name }, stringData: { password: confidential } });
const reload = { encryptionProviderConfigAutomaticReload: true };

/** Creates a server that encrypts secrets with a plugin. Neither of them is started. */
async function created() {
  const server = await EncryptedServer.create();
  const plugin = KmsPlugin.ofTest(server.directory);
  const kms = { kms: { apiVersion: 'v2', name: 'vault', endpoint: `unix://${plugin.socket}`, timeout: '1s' } };
  await server.configure([['secrets'], kms, identity]);
  return { server, plugin, kms };
}

const isReady = (api: TestApi): Promise<void> => expect.poll(async () => (await api.get('/readyz')).text).toBe('ok');
const isStored = (api: TestApi, name: string): Promise<void> =>
  expect.poll(async () => (await api.get(`${secrets}/${name}`)).body?.data?.password).toBe(encoded);

/**
 * Expects metrics for these uses of keys, for the last key ID that the plugin reported, and for the calls of the
 * plugin.
 */
async function expectUses(
  api: TestApi,
  uses: readonly { keyId: string; transformation_type: string }[],
): Promise<void> {
  const metrics = await ScrapedMetrics.of(api);
  const of = (tail: string, labels: Readonly<Record<string, string>>): number =>
    metrics.value(`apiserver_envelope_encryption_${tail}`, { provider_name: 'vault', ...labels });
  for (const { keyId, ...labels } of uses) {
    const key_id_hash = `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
    expect(of('key_id_hash_total', { key_id_hash, ...labels }), JSON.stringify(labels)).toBeGreaterThan(0);
    expect(of('key_id_hash_last_timestamp_seconds', { key_id_hash, ...labels })).toBeGreaterThan(1.7e9);
  }
  const last = `sha256:${createHash('sha256').update(uses.at(-1)!.keyId).digest('hex')}`;
  expect(of('key_id_hash_status_last_timestamp_seconds', { key_id_hash: last })).toBeGreaterThan(1.7e9);
  const calls = (method: string): number =>
    of('kms_operations_latency_seconds_count', {
      method_name: `/v2.KeyManagementService/${method}`,
      grpc_status_code: 'OK',
    });
  expect([calls('Status') > 0, calls('Encrypt'), calls('Decrypt')]).toEqual([true, 1, 1]);
  expect(of('dek_source_cache_size', {})).toBe(2);
}

it('starts before its plugin, writes without it for a while, and reads after a restart when it is back', async () => {
  const { server, plugin } = await created();
  let api = await server.start();
  const health = await api.get('/readyz/kms-providers');
  expect(health.status).toBe(500);
  expect(health.text).toMatch(
    /kms-provider-0: failed to perform status section .* KMS Provider vault, error: rpc error/,
  );
  expect((await api.get('/livez?verbose')).text).toContain('[-]kms-providers failed: reason withheld\n');
  const refused = await api.post(secrets, secret('a'));
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.body.message).toContain('KMS provider vault has not provided a key yet');
  const configMap = { metadata: { name: 'a' } };
  expect((await api.post('/api/v1/namespaces/default/configmaps', configMap)).status).toBe(200);

  await plugin.start();
  await isReady(api);
  expect((await api.post(secrets, secret('a'))).status).toBe(200);
  await plugin.kill();
  expect((await api.post(secrets, secret('b'))).status).toBe(200);
  await isStored(api, 'a');
  await isStored(api, 'b');
  expect(await server.filesWith(encoded)).toEqual([]);
  expect(await server.filesWith('k8s:enc:kms:v2:vault:')).not.toEqual([]);

  // The server has not decrypted anything yet, and it cannot do so without the plugin.
  await server.stop();
  api = await server.start();
  const away = await api.get(`${secrets}/a`);
  expect(away).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(away.body.message).toContain('failed to decrypt DEK, error: rpc error: code = ');
  expect(server.logged.join('\n')).not.toContain('corrupt');
  await plugin.start();
  await isStored(api, 'a');
  await isReady(api);
});

it('writes with the new key of the plugin, and treats objects that the plugin refuses as corrupt', async () => {
  const { server, plugin } = await created();
  await plugin.start();
  let api = await server.start();
  await isReady(api);
  const { body } = await api.post(secrets, secret('a'));
  await api.post(secrets, secret('never-rewritten'));
  expect((await api.put(`${secrets}/a`, body)).body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  await server.stop();
  await plugin.set({ keyId: '2' });
  api = await server.start();
  await isReady(api);
  await isStored(api, 'a');
  const rewritten = (await api.put(`${secrets}/a`, body)).body;
  expect(rewritten.metadata.resourceVersion).not.toBe(body.metadata.resourceVersion);
  await expectUses(api, [
    { keyId: '1', transformation_type: 'from_storage' },
    { keyId: '2', transformation_type: 'to_storage' },
  ]);
  await server.stop();
  await plugin.set({ lostKeys: ['1'] });
  api = await server.start();
  await isStored(api, 'a');
  const refused = async () => (await api.get(`${secrets}/never-rewritten`)).body;
  await expect.poll(async () => (await refused()).message).toContain('InvalidArgument desc = the key 1 is lost');
  expect((await refused()).reason).toBe('StorageReadError');
  expect((await api.post(secrets, secret('b'))).status).toBe(200);
  await isStored(api, 'b');
});

it('uses a new plugin only when it works', async () => {
  const { server, plugin, kms } = await created();
  await server.configure([['secrets'], withKeys('aesgcm', 'one')]);
  // With more threads, the change would need a restart.
  const api = await server.start({ ...reload, threads: 1 });
  await api.post(secrets, secret('a'));
  await server.configure([['secrets'], kms, withKeys('aesgcm', 'one')]);
  await expect.poll(() => server.logged.join('\n')).toContain('encryption configuration not reloaded');
  expect((await api.post(secrets, secret('b'))).status).toBe(200);
  expect((await api.get('/readyz')).text).toBe('ok');
  expect(await server.filesWith('k8s:enc:kms:')).toEqual([]);

  await plugin.start();
  await expect.poll(() => server.logged.join('\n')).toContain('encryption configuration reloaded');
  await isStored(api, 'a');
  await api.post(secrets, secret('c'));
  await isStored(api, 'c');
  expect(await server.filesWith('k8s:enc:kms:v2:vault:')).not.toEqual([]);
});
