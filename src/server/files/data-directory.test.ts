import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { prepareDataDirectory } from './data-directory.ts';

let parent: string;
let directory: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "keelson-data directory's-"));
  directory = join(parent, 'data');
  return () => rm(parent, { recursive: true, force: true });
});

/** Creates a directory like one that a server has used. */
async function used(): Promise<void> {
  for (const path of ['', 'pki', 'store']) await mkdir(join(directory, path), { mode: 0o700 });
  for (const name of ['ca', 'service-account'])
    await writeFile(join(directory, `pki/${name}.key`), '', { mode: 0o600 });
  await writeFile(join(directory, 'pki/ca.crt'), '', { mode: 0o644 });
  for (const name of ['admin.kubeconfig', 'store/storage.sqlite'])
    await writeFile(join(directory, name), '', { mode: 0o600 });
}

it('is created with access for its owner only', async () => {
  await prepareDataDirectory(join(directory, 'deep', 'down'));
  for (const path of ['', 'deep', 'deep/down']) expect((await stat(join(directory, path))).mode & 0o777).toBe(0o700);
});

it('is accepted after a run of the server', async () => {
  await used();
  await expect(prepareDataDirectory(directory)).resolves.toBeUndefined();
  // Others may read the directory, but not write it.
  await chmod(directory, 0o755);
  await expect(prepareDataDirectory(directory)).resolves.toBeUndefined();
  await chmod(directory, 0o777);
  await expect(prepareDataDirectory(directory)).rejects.toThrow();
});

it('may itself be a symlink', async () => {
  await used();
  await symlink(directory, join(parent, 'link'));
  await expect(prepareDataDirectory(join(parent, 'link'))).resolves.toBeUndefined();
});

const move = async (path: string): Promise<void> => {
  await rename(join(directory, path), join(parent, 'elsewhere'));
  await symlink(`${'../'.repeat(path.split('/').length)}elsewhere`, join(directory, path));
};

/** Expects that the error contains one command, and that there is no error after running it. */
async function expectRepairable(message: RegExp): Promise<void> {
  const refusal = await prepareDataDirectory(directory).catch((error: Error) => error.message);
  expect(refusal).toMatch(message);
  const commands = [...String(refusal).matchAll(/: run (.*)$/gm)].map(([, command]) => command!);
  expect(commands).toHaveLength(1);
  await promisify(execFile)('/bin/sh', ['-c', commands[0]!]);
  await prepareDataDirectory(directory);
}

describe('others', () => {
  it.each<[what: string, spoil: () => Promise<void>, message: RegExp]>([
    ['write the directory', () => chmod(directory, 0o777), /data can be written by others/],
    ['of the group write the directory', () => chmod(directory, 0o770), /data can be written by others/],
    ['write pki', () => chmod(join(directory, 'pki'), 0o733), /pki can be written by others/],
    ['write store', () => chmod(join(directory, 'store'), 0o702), /store can be written by others/],
    ['read a key', () => chmod(join(directory, 'pki/ca.key'), 0o644), /ca\.key can be read or written by others/],
    ['of the group read a key', () => chmod(join(directory, 'pki/service-account.key'), 0o640), /service-account\.key/],
    ['read the kubeconfig', () => chmod(join(directory, 'admin.kubeconfig'), 0o644), /admin\.kubeconfig can be read/],
    ['write the kubeconfig', () => chmod(join(directory, 'admin.kubeconfig'), 0o602), /admin\.kubeconfig can be read/],
    ['write a certificate', () => chmod(join(directory, 'pki/ca.crt'), 0o666), /ca\.crt can be written by others/],
    ['read the objects', () => chmod(join(directory, 'store/storage.sqlite'), 0o604), /sqlite can be read or written/],
    ['have the store, behind a link', () => move('store'), /store is a symbolic link/],
    ['have the database, behind a link', () => move('store/storage.sqlite'), /storage\.sqlite is a symbolic link/],
  ])('who %s keep the server from starting until the command is run', async (_what, spoil, message) => {
    await used();
    await spoil();
    await expectRepairable(message);
  });

  it('are all reported at once', async () => {
    await used();
    await chmod(directory, 0o777);
    await chmod(join(directory, 'pki/ca.key'), 0o666);
    await expect(prepareDataDirectory(directory)).rejects.toThrow(/data can be written.*\n.*ca\.key can be read/);
  });
});

describe('another user', () => {
  const nobody = 65_534;
  beforeEach(({ skip }) => {
    if (process.geteuid?.() !== 0) skip('only root can give files to other users');
  });

  it.each([
    ['the directory', '.', /data belongs to user 65534, but this process runs as user 0/],
    ['the kubeconfig', 'admin.kubeconfig', /admin\.kubeconfig belongs to/],
    ['pki', 'pki', /pki belongs to/],
    ['a key', 'pki/ca.key', /ca\.key belongs to/],
    ['a certificate', 'pki/ca.crt', /ca\.crt belongs to/],
    ['store', 'store', /store belongs to/],
    ['the objects', 'store/storage.sqlite', /storage\.sqlite belongs to/],
  ])('who owns %s keeps the server from starting until the command is run', async (_what, path, message) => {
    await used();
    await chown(join(directory, path), nobody, nobody);
    await expectRepairable(message);
  });

  it('who owns everything is reported in one line', async () => {
    await used();
    for (const path of ['.', ...(await readdir(directory, { recursive: true }))])
      await chown(join(directory, path), nobody, nobody);
    await expectRepairable(/data and 7 more belong to user 65534/);
  });

  it('can use a directory that root has made', async () => {
    await used();
    await expect(prepareDataDirectory(directory, nobody)).resolves.toBeUndefined();
    await chown(join(directory, 'store'), nobody, nobody);
    await expect(prepareDataDirectory(directory, nobody)).resolves.toBeUndefined();
  });

  it('is told whose directory it is, also where the content is out of reach', async () => {
    await used();
    await chmod(parent, 0o755);
    await chown(directory, 1, 1);
    // It loads the program as root, because the other user may not be able to read it.
    const script = `import { prepareDataDirectory } from ${JSON.stringify(import.meta.resolve('./data-directory.ts'))};
      process.seteuid(${nobody});
      await prepareDataDirectory(${JSON.stringify(directory)});`;
    const refused = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    await expect(refused).rejects.toThrow(
      /data belongs to user 1, but this process runs as user 65534: run chown 65534/,
    );
  });
});
