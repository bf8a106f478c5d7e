import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { etcdCredentials } from './etcd-credentials.ts';
import { resolveOptions } from './options.ts';

it('reads the files again for each connection, and keeps what it has when that fails', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-etcd-files-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const [etcdCafile, etcdCertfile, etcdKeyfile] = ['ca', 'cert', 'key'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const write = (text: string) =>
    Promise.all([etcdCafile, etcdCertfile, etcdKeyfile].map((file) => writeFile(file, text)));
  const errors: string[] = [];
  const log = {
    info: () => {},
    error: (message: string) => void errors.push(message),
    flush: () => Promise.resolve(),
  };
  const etcd = { storage: 'etcd', etcdServers: ['https://127.0.0.1:1'] } as const;
  const options = resolveOptions({ ...etcd, etcdCafile, etcdCertfile, etcdKeyfile, log });
  await expect(etcdCredentials(options)).rejects.toThrow(/etcd-(ca|cert|key)file/);
  const all = (text: string) => ({ ca: Buffer.from(text), cert: Buffer.from(text), key: Buffer.from(text) });
  await write('first');
  const credentials = await etcdCredentials(options);
  expect(await credentials()).toEqual(all('first'));
  await write('second');
  expect(await credentials()).toEqual(all('second'));
  await rm(etcdKeyfile);
  expect(await credentials()).toEqual(all('second'));
  expect(errors).toEqual(['the certificates for etcd cannot be read; the earlier ones remain in use']);
});
