import { expect, it, onTestFinished } from 'vitest';
import { Encryption } from '../../src/encryption/encryption.ts';
import { silentLogger } from '../../src/meta/logger.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { KmsPlugin } from './kms-plugin.ts';

const key = '/registry/secrets/default/a';
const plain = Buffer.from('{"kind":"Secret"}');

/** Opens several providers for one plugin. Their clock stands still. */
async function opened() {
  const plugin = KmsPlugin.ofTest(await temporaryDirectory());
  await plugin.start();
  const clock = { now: 0 };
  const provider = { type: 'kms', name: 'vault', socket: plugin.socket, timeoutMs: 20_000 } as const;
  const rules = [{ resources: [{ group: '', resource: 'secrets' }], providers: [provider] }];
  const open = async () => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const readable: string[] = [];
    const encryption = await Encryption.open(rules, {
      types: new Map([['secrets', { group: '', resource: 'secrets' }]]),
      log: silentLogger,
      onReadable: (prefixes) => void readable.push(...prefixes),
      signal: stop.signal,
      now: () => clock.now,
    });
    return { encryption, readable, signal: stop.signal };
  };
  return { plugin, clock, open, rules };
}

it('values that the plugin refuses are tried again with every status, and read when it does not', async () => {
  const { plugin, clock, open } = await opened();
  const stored = (await open()).encryption.toStored(plain, key);
  const { encryption, readable } = await open();
  await plugin.set({ lostKeys: ['1'] });
  const corrupt = 'failed to decrypt DEK, error: rpc error: code = InvalidArgument desc = the key 1 is lost';
  expect(await encryption.fromStored(stored, key)).toEqual({ value: stored, corrupt });
  await plugin.take();
  clock.now += 20_000;
  await encryption.check();
  await expect.poll(() => plugin.take()).toContain('Decrypt');
  expect(readable).toEqual([]);
  await plugin.set({ lostKeys: [] });
  clock.now += 20_000;
  await encryption.check();
  await expect.poll(() => readable).toEqual(['/registry/secrets/']);
  expect(await encryption.fromStored(stored, key)).toEqual({ value: plain });
});

it('a plugin that is configured as before is used with the keys that are known', async () => {
  const { plugin, open, rules } = await opened();
  const { encryption, signal } = await open();
  const stored = encryption.toStored(plain, key);
  await plugin.take();
  await encryption.replace([...rules], signal);
  expect(encryption.fromStored(stored, key)).toEqual({ value: plain });
  expect(await plugin.take()).toEqual([]);
});
