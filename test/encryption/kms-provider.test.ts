import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encodeEncryptedObject } from '../../src/encryption/kms/encrypted-object.ts';
import { KmsProvider } from '../../src/encryption/kms/kms-provider.ts';
import { openKmsService } from '../../src/encryption/kms/kms-service.ts';
import { aesGcm } from '../../src/encryption/providers/aes-gcm.ts';
import { UnreadableValueError } from '../../src/encryption/value-provider.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { KmsPlugin } from './kms-plugin.ts';

const key = '/registry/secrets/default/a';
const plain = Buffer.from('{"kind":"Secret"}');
/** Long enough for a busy machine, and short enough that a test can wait for it. */
const timeoutMs = 20_000;

/** Retries until the call succeeds, because a busy machine may exceed a short timeout. */
const succeeds = (call: () => Promise<void>): Promise<void> =>
  expect.poll(() => call().then(() => 'ok', String)).toBe('ok');

let directory: string;
let common: KmsPlugin;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-kms-'));
  common = new KmsPlugin(directory);
});
afterAll(async () => {
  await common.kill();
  await rm(directory, { recursive: true, force: true });
});

const ownPlugin = async (): Promise<KmsPlugin> => KmsPlugin.ofTest(await temporaryDirectory());

/** Opens several providers for one plugin, like several servers. Their clock stands still. */
async function opened(plugin = common) {
  const clock = { now: 0 };
  const open = async ({ timeout = timeoutMs } = {}) => {
    const service = await openKmsService({ type: 'kms', name: 'vault', socket: plugin.socket, timeoutMs: timeout });
    onTestFinished(() => service.close());
    const reported: string[] = [];
    const provider = new KmsProvider({
      name: 'vault',
      service,
      now: () => clock.now,
      onHealthy: ({ changed }) => void (changed && reported.push('changed')),
      onFailure: ({ message }) => void reported.push(message),
    });
    const seal = (): Buffer => Buffer.concat(provider.seal(plain, key));
    return { provider, reported, seal, service };
  };
  return { plugin, clock, open };
}

describe('a provider', () => {
  it('asks the plugin for each seed once', async () => {
    const { plugin, open } = await opened();
    await plugin.start();
    const one = await open();
    await one.provider.check();
    expect(await plugin.take()).toEqual(['Status', 'Encrypt']);
    const sealed = [one.seal(), one.seal()];
    // The result is not a promise.
    for (const each of sealed) expect(one.provider.open(each, key)).toEqual({ value: plain, stale: false });
    expect(await plugin.take()).toEqual([]);

    const other = await open();
    await other.provider.check();
    const read = await Promise.all(sealed.map((each) => other.provider.open(each, key)));
    expect(read).toEqual(sealed.map(() => ({ value: plain, stale: false })));
    expect(other.provider.open(sealed[0]!, key)).toEqual({ value: plain, stale: false });
    expect(await plugin.take()).toEqual(['Status', 'Encrypt', 'Decrypt']);
  });

  it('uses the new key of the plugin after the next status', async () => {
    const { plugin, clock, open } = await opened();
    await plugin.start();
    const { provider, reported, seal } = await open();
    await provider.check();
    const before = seal();
    await plugin.set({ keyId: '2' });
    await provider.check();
    expect(provider.open(before, key)).toEqual({ value: plain, stale: false });
    clock.now = 20_000;
    await provider.check();
    expect(provider.open(before, key)).toEqual({ value: plain, stale: true });
    expect(provider.open(seal(), key)).toEqual({ value: plain, stale: false });
    expect(reported).toEqual(['changed', 'changed']);
  });

  it('keeps its key while the plugin contradicts itself', async () => {
    const { plugin, open } = await opened();
    await plugin.start();
    const { provider, seal } = await open();
    await provider.check();
    await plugin.set({ keyId: '2', encryptKeyId: '1' });
    await expect(provider.poll()).rejects.toThrow('failed to rotate DEK: the key ID of Status is not that of Encrypt');
    expect(provider.open(seal(), key)).toEqual({ value: plain, stale: false });
  });

  it('writes for three minutes without the plugin, and reads on', async () => {
    const { plugin, clock, open } = await opened(await ownPlugin());
    await plugin.start();
    const { provider, reported, seal } = await open({ timeout: 200 });
    await succeeds(() => provider.poll());
    await plugin.kill();
    clock.now = 180_000;
    await expect(provider.check()).rejects.toThrow(
      'failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = ',
    );
    const sealed = seal();
    clock.now = 180_001;
    expect(seal).toThrow(/^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 1970-01-01T00:03:00Z/);
    expect(provider.open(sealed, key)).toEqual({ value: plain, stale: false });

    await plugin.start();
    clock.now += 3_000;
    await succeeds(() => provider.poll());
    expect(provider.open(seal(), key)).toEqual({ value: plain, stale: false });
    expect(reported.at(-1)).toBe('changed');
  });

  it('has no key before the plugin is there', async () => {
    const { plugin, open } = await opened(await ownPlugin());
    const { provider, seal } = await open({ timeout: 100 });
    await expect(provider.check()).rejects.toThrow('code = ');
    expect(seal).toThrow('KMS provider vault has not provided a key yet');
    await plugin.start();
    await succeeds(() => provider.poll());
    expect(provider.open(seal(), key)).toEqual({ value: plain, stale: false });
  });
});

describe('a value of another seed', () => {
  it('can be read later when the plugin does not answer', async () => {
    const { plugin, open } = await opened();
    await plugin.start();
    const writer = await open();
    await writer.provider.check();
    const sealed = writer.seal();
    const { provider } = await open({ timeout: 200 });
    await plugin.set({ hanging: ['Decrypt'] });
    await expect(provider.open(sealed, key)).rejects.toMatchObject({
      name: 'StorageError',
      code: 'Unavailable',
      message: expect.stringMatching(
        /^KMS provider vault: failed to decrypt DEK, error: rpc error: code = DeadlineExc/,
      ),
    });
    await plugin.set({ hanging: [] });
    // The value is stale, because this provider has no key of its own yet.
    await expect.poll(async () => provider.open(sealed, key)).toEqual({ value: plain, stale: true });
  });

  it('is unreadable when the plugin refuses it', async () => {
    const { plugin, open } = await opened();
    await plugin.start();
    const writer = await open();
    await writer.provider.check();
    const sealed = writer.seal();
    await plugin.set({ lostKeys: ['1'] });
    const { provider } = await open();
    await expect(provider.open(sealed, key)).rejects.toThrow(
      new UnreadableValueError(
        'failed to decrypt DEK, error: rpc error: code = InvalidArgument desc = the key 1 is lost',
      ),
    );
    await plugin.set({ lostKeys: [] });
    expect(await provider.open(sealed, key)).toMatchObject({ value: plain });
  });

  it('may have a key in place of a seed, as older releases wrote it, and is then stale', async () => {
    const { plugin, open } = await opened();
    await plugin.start();
    const { provider, service } = await open();
    await provider.check();
    const secret = Buffer.alloc(32, 'k');
    const { ciphertext, keyId, annotations } = await service.encrypt(secret);
    const data = Buffer.concat(aesGcm(createSecretKey(secret)).seal(plain, key));
    const sealed = encodeEncryptedObject({ data, keyId, source: ciphertext, annotations, sourceType: 0 });
    expect(await provider.open(sealed, key)).toEqual({ value: plain, stale: true });
  });
});

it.each<[what: string, settings: object, problem: string]>([
  ['that status', { healthz: 'the vault is closed' }, 'got unexpected healthz status: the vault is closed'],
  ['another version', { version: 'v3' }, 'expected KMSv2 API version v2, got v3'],
  ['no key', { keyId: '' }, 'got invalid KMSv2 KeyID hash "": keyID is empty'],
  ['a key with a long name', { keyId: 'x'.repeat(1025) }, 'keyID is 1025 bytes, which exceeds the max size of 1024'],
])('is unhealthy with %s', async (_what, settings, problem) => {
  const { plugin, open } = await opened();
  await plugin.start(settings);
  const { provider } = await open();
  await expect(provider.check()).rejects.toThrow(`kmsv2 Provider vault is not healthy, error: `);
  await expect(provider.check()).rejects.toThrow(problem);
});

it('asks for the status at most every 20 seconds, or 3 after a failure', async () => {
  const { plugin, clock, open } = await opened();
  await plugin.start({ healthz: 'no' });
  const { provider } = await open();
  const statuses = async (now: number): Promise<number> => {
    clock.now = now;
    await Promise.allSettled([provider.check(), provider.check()]);
    return (await plugin.take()).filter((method) => method === 'Status').length;
  };
  expect([await statuses(0), await statuses(2_999), await statuses(3_000)]).toEqual([1, 0, 1]);
  await plugin.set({ healthz: 'ok' });
  expect([await statuses(6_000), await statuses(25_999), await statuses(26_000)]).toEqual([1, 0, 1]);
});
