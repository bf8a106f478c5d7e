import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, runHere } from '../existing-data/run-command.ts';
import { ServeProcess } from '../process/serve-process.ts';
import { backupPlace, configMaps, quiet, startHere } from './backup-place.ts';

const at = backupPlace();

it.each<[string, () => string[], code: number, message: RegExp]>([
  ['no file', () => ['backup'], 2, /the backup FILE must be specified/],
  ['two files', () => ['backup', 'a', 'b'], 2, /unexpected argument: b/],
  ['etcd', () => ['backup', 'a', '--storage=etcd'], 2, /etcdctl/],
  ['memory', () => ['restore', 'a', '--storage=memory'], 2, /cannot be backed up/],
  ['a directory without a store', () => ['backup', 'a', `--data-dir=${at.place}`], 1, /not a data directory/],
  ['a missing directory', () => ['verify', join(at.place, 'missing')], 1, /not a data directory/],
  ['a backup that is none', () => ['restore', import.meta.filename, `--data-dir=${at.dataDir}`], 1, /not a database/],
])('is refused with an error message: %s', async (_what, args, code, message) => {
  expect(await runHere(...args())).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
});

describe('encrypted objects', () => {
  const configuration = async (name: string): Promise<string> => {
    const path = join(at.place, name);
    const keys = [{ name: 'key', secret: randomBytes(32).toString('base64') }];
    const resources = [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }];
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
    await writeFile(path, JSON.stringify({ ...kind, resources }), { mode: 0o600 });
    return path;
  };

  it('stay encrypted in a backup, and are verified with their key', async () => {
    const own = await configuration('own.yaml');
    const flag = (path: string) => `--encryption-provider-config=${path}`;
    const api = await startHere(at.dataDir, { encryptionProviderConfig: own });
    await api.post('/api/v1/namespaces/default/secrets', {
      metadata: { name: 's' },
      stringData: { word: 'abracadabra' },
    });
    await api.stop();
    expect(await runHere('backup', at.file, `--data-dir=${at.dataDir}`)).toEqual(quiet);
    const bytes = await readFile(at.file);
    expect([bytes.includes('k8s:enc:aesgcm'), bytes.includes(btoa('abracadabra'))]).toEqual([true, false]);
    const verified = async (...flags: string[]) =>
      JSON.parse((await runHere('verify', at.file, '--output=json', ...flags)).stdout);
    expect(await verified()).toMatchObject({ sealed: 1, findings: [] });
    expect(await verified(flag(own))).toMatchObject({ sealed: 0, findings: [] });
    expect((await runHere('verify', at.file, flag(await configuration('other.yaml')))).code).toBe(3);

    const other = join(at.place, 'other');
    expect(await runHere('restore', at.file, `--data-dir=${other}`)).toEqual(quiet);
    const secret = await (await startHere(other, { encryptionProviderConfig: own })).get(
      '/api/v1/namespaces/default/secrets/s',
    );
    expect(secret.body.data).toEqual({ word: btoa('abracadabra') });
  });
});

/** The command that gives a process a mount namespace of its own, whose mounts end with the process. */
const unshare = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
const canMount =
  spawnSync(unshare[0]!, [...unshare.slice(1), 'sh', '-c', 'mount -t tmpfs none /mnt'], { timeout: 10_000 }).status ===
  0;

describe.skipIf(!canMount)('a full disk (skipped where no file system can be mounted)', () => {
  it('makes a backup fail, and leaves the former one', async () => {
    const server = await startHere(at.dataDir);
    await server.stop();
    const small = join(at.place, 'small');
    await mkdir(small);
    const script = `mount -t tmpfs -o size=160k,mode=700 none ${small} && echo former > ${small}/backup && "$@"; code=$?
      ls ${small}; cat ${small}/backup; exit $code`;
    const prefix = [...unshare, 'sh', '-c', script, 'sh'];
    const backup = new ServeProcess(['backup', join(small, 'backup'), `--data-dir=${at.dataDir}`], { prefix });
    expect(await backup.exited).toEqual({ code: 1, signal: null });
    expect(backup.stderr).toContain('full');
    expect(backup.stdout).toBe('backup\nformer\n');
  });
});

describe('files of other releases', () => {
  /** A store and a backup that the first release wrote. All later releases must be able to read them. */
  const first = join(import.meta.dirname, 'first-release');

  const storeOfFirst = async (): Promise<void> => {
    await mkdir(join(at.dataDir, 'store'), { recursive: true, mode: 0o700 });
    const stored = await readFile(join(first, 'storage.sqlite'));
    await writeFile(join(at.dataDir, 'store/storage.sqlite'), stored, { mode: 0o600 });
  };

  it('are read if they come from the first release', async () => {
    await storeOfFirst();
    expect(await runHere('verify', at.dataDir)).toEqual(quiet);
    const server = await startHere(at.dataDir);
    const expected = { data: { colour: 'red' }, metadata: { name: 'old', resourceVersion: '4' } };
    expect((await server.get(`${configMaps}/old`)).body).toMatchObject(expected);
    await server.stop();

    const other = join(at.place, 'other');
    expect((await runHere('restore', join(first, 'backup'), `--data-dir=${other}`)).code).toBe(0);
    expect((await (await startHere(other)).get(`${configMaps}/old`)).body).toMatchObject(expected);
  });

  it('are refused if they come from a later release', async () => {
    await storeOfFirst();
    await copyFile(join(first, 'backup'), at.file);
    for (const path of [at.file, join(at.dataDir, 'store/storage.sqlite')]) {
      const bytes = await readFile(path);
      // SQLite files have a number for the format version at this offset.
      bytes.writeUInt32BE(99, 60);
      await writeFile(path, bytes);
    }
    const refused = { code: 1, stderr: expect.stringContaining('has the format 99 of a later release') };
    expect(await run('serve', `--data-dir=${at.dataDir}`, '--secure-port=0')).toMatchObject(refused);
    expect(await runHere('verify', at.dataDir)).toMatchObject(refused);
    expect(await runHere('restore', at.file, `--data-dir=${join(at.place, 'other')}`)).toMatchObject(refused);
  });
});
