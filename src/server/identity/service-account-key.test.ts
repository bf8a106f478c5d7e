import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { filesOnDisk } from '../files/option-files.ts';
import { loadServiceAccountKeys } from './service-account-key.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'keelson-sa-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

it('the server stores its own key, readable only by its owner', async () => {
  const ownKeyFile = join(await folder(), 'pki', 'service-account.key');
  const first = await loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile });
  expect((await stat(ownKeyFile)).mode & 0o777).toBe(0o600);
  const second = await loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile });
  expect(second.signing.id).toBe(first.signing.id);
  expect((await loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile: undefined })).signing.id).not.toBe(
    first.signing.id,
  );
});

it('keys from files come first', async () => {
  const directory = await folder();
  const [signingKeyFile, keyFile, ownKeyFile] = ['sa.key', 'sa.pub', 'own.key'].map((name) => join(directory, name));
  const own = await loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile });
  await writeFile(signingKeyFile!, rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(keyFile!, await readFile(ownKeyFile!));
  const keys = await loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile, signingKeyFile, keyFiles: [keyFile!] });
  expect(keys.signing.algorithm).toBe('RS256');
  expect(keys.all.map(({ id }) => id)).toEqual([own.signing.id, keys.signing.id]);
});

it('a file without a key is an error', async () => {
  const empty = join(await folder(), 'sa.pub');
  await writeFile(empty, 'nothing');
  const failed = loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile: undefined, keyFiles: [empty] });
  await expect(failed).rejects.toThrow(RangeError);
  await expect(failed).rejects.toThrow(`"${empty}": data does not contain any valid RSA or ECDSA public keys`);
  const absent = loadServiceAccountKeys({ files: filesOnDisk, ownKeyFile: undefined, signingKeyFile: `${empty}.gone` });
  await expect(absent).rejects.toThrow('ENOENT');
});
