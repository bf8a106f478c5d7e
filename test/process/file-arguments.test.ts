import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { startServer } from '../../src/index.ts';
import { runHere } from '../existing-data/run-command.ts';

// Relative paths: each test file runs in an empty directory of its own.
beforeAll(async () => {
  const server = await startServer({ dataDir: 'data', controllers: [] });
  await server.stop();
  await mkdir('folder');
  await writeFile('file', 'This is a text, and neither a store nor a backup.');
  expect((await runHere('backup', 'backup', '--data-dir=data')).code).toBe(0);
});

const there = (path: string): string => join(process.cwd(), path);
const missingDirectory = () => `the directory ${there('no')} does not exist; create it, or name another`;
const serve = ['serve', '--bind-address=127.0.0.1', '--secure-port=0'];

it.each<[args: readonly string[], code: number, message: () => string]>([
  [['backup', 'no/x', '--data-dir=data'], 1, () => `FILE: no/x cannot be written: ${missingDirectory()}`],
  [['backup', 'folder', '--data-dir=data'], 1, () => 'FILE: folder cannot be written: it is a directory; name a file'],
  [
    ['backup', 'file/x', '--data-dir=data'],
    1,
    () => `FILE: file/x cannot be written: ${there('file')} is a file; name`,
  ],
  [['backup', 'x', '--data-dir=no'], 1, () => 'no is not a data directory'],
  [['restore', 'no', '--data-dir=new'], 1, () => 'no does not exist'],
  [['restore', 'folder', '--data-dir=new'], 1, () => 'folder is a directory, and a file is needed'],
  [['restore', 'file', '--data-dir=new'], 1, () => 'file is not a database'],
  [
    ['restore', 'backup', '--data-dir=file'],
    1,
    () => `data directory ${there('file')} cannot be created: it is a file`,
  ],
  [
    ['restore', 'backup', '--data-dir=file/x'],
    1,
    () => `${there('file/x')} cannot be created: it is a file, or a part`,
  ],
  [['verify', 'no'], 1, () => 'no is not a data directory'],
  [['verify', 'file'], 1, () => 'file is not a database'],
  [
    ['verify', 'data', '--encryption-provider-config=no'],
    2,
    () => "encryption-provider-config: ENOENT: no such file or directory, open 'no'",
  ],
  [
    ['verify', 'data', '--encryption-provider-config=folder'],
    2,
    () => 'encryption-provider-config: EISDIR: folder is a',
  ],
  [['export', '--to=no/x', '--data-dir=data'], 1, () => `--to: no/x cannot be written: ${missingDirectory()}`],
  [['export', '--to=file/x', '--data-dir=data'], 1, () => `--to: file/x cannot be written: ${there('file')} is a file`],
  [['export', '--to=file', '--data-dir=data'], 1, () => 'file is neither a file of objects nor a snapshot'],
  [['export', '--to=x', '--data-dir=no'], 1, () => 'no is not a data directory with objects'],
  [['import', '--from=no', '--data-dir=new'], 1, () => 'no does not exist'],
  [['import', '--from=file', '--data-dir=new'], 1, () => 'file is neither a file of objects nor a snapshot of etcd'],
  [['status', '--kubeconfig=no'], 2, () => "unable to read no: ENOENT: no such file or directory, open 'no'"],
  [['status', '--kubeconfig=folder'], 2, () => 'unable to read folder: EISDIR'],
  [['status', '--kubeconfig=file'], 2, () => 'kubeconfig file: must be an object'],
  [['status', '--data-dir=no'], 2, () => '--data-dir: no server has run with no; name the data directory'],
  [['console', '--data-dir=no'], 2, () => '--data-dir: no server has run with no; name the data directory'],
  [['record', '--upstream=file', '--file=no/x'], 1, () => `--file: no/x cannot be written: ${missingDirectory()}`],
  [
    ['record', '--upstream=file', '--file=x', '--kubeconfig=no/x'],
    1,
    () => `--kubeconfig: no/x cannot be written: ${missingDirectory()}`,
  ],
  [['envtest', 'path', '--dir=file'], 2, () => `${there('file')} cannot be created: it is a file`],
  [['serve', '--config=no'], 2, () => "--config no: ENOENT: no such file or directory, open 'no'"],
  [['serve', '--config=folder'], 2, () => '--config folder: EISDIR'],
  [[...serve, '--data-dir=file'], 1, () => `data directory ${there('file')} cannot be created: it is a file`],
  [
    [...serve, '--storage=memory', '--from-snapshot=no'],
    2,
    () => 'from-snapshot: no: ENOENT: no such file or directory',
  ],
  [[...serve, '--storage=memory', '--from-snapshot=folder'], 2, () => 'from-snapshot: folder: EISDIR'],
  [[...serve, '--storage=memory', '--client-ca-file=folder'], 2, () => 'client-ca-file: EISDIR: folder is a directory'],
  [
    [...serve, '--storage=memory', '--authentication-token-webhook-config-file=no'],
    2,
    () => 'authentication-token-webhook-config-file: unable to read no: ENOENT',
  ],
])('the message about a file that cannot be used says what to do: %j', async (args, code, message) => {
  const outcome = await runHere(...args);
  expect(outcome.stderr).toContain(message());
  expect(outcome.code).toBe(code);
});
