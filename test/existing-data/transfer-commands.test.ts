import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { objectFile } from './object-file.ts';
import { run, runHere } from './run-command.ts';
import { snapshotFile } from './snapshot-file.ts';

describe('a snapshot', () => {
  test('is imported, and what cannot be is reported', async () => {
    const snapshot = await snapshotFile();
    const dataDir = join(await temporaryDirectory(), 'data');
    const flags = ['import', `--from=${snapshot}`, `--data-dir=${dataDir}`];
    expect(await runHere(...flags)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('/registry/secrets/shop/sealed: the value is encrypted'),
    });
    const { stdout, code } = await run(...flags, '--skip-unreadable');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 objects copied, 4 verified, in [0-9.]+ s\nrevision 1000, SHA-256 [0-9a-f]{64}\n/);
    expect(stdout).toContain('not objects of a known type: masterleases (1), podsecuritypolicies (1), ranges (1)\n');
    expect(stdout).toContain('cannot be read: 1\n');
    // A second run only verifies the objects.
    expect((await runHere(...flags, '--skip-unreadable')).stdout).toMatch(/^0 objects copied, 4 verified/);
  });

  test('is not imported into a store with other objects, unless they are to be merged', async () => {
    const [first, second] = [await objectFile(3), await snapshotFile()];
    const dataDir = join(await temporaryDirectory(), 'data');
    expect((await runHere('import', `--from=${first}`, `--data-dir=${dataDir}`)).code).toBe(0);
    const flags = ['import', `--from=${second}`, `--data-dir=${dataDir}`, '--skip-unreadable'];
    expect(await runHere(...flags)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has other objects already'),
    });
    expect((await runHere(...flags, '--merge')).stdout).toMatch(/^4 objects copied, 4 verified/);
    expect((await run('export', `--to=${join(dataDir, 'all.jsonl')}`, `--data-dir=${dataDir}`)).stdout).toMatch(
      /^7 objects copied, 7 verified/,
    );
  });
});

test.each([
  [['import'], 2, '--from must be specified'],
  [['export'], 2, '--to must be specified'],
  [['import', '--from=missing.jsonl', '--data-dir=missing'], 1, 'missing.jsonl does not exist'],
  [['export', '--to=x.jsonl', '--data-dir=/missing'], 1, '/missing is not a data directory with objects'],
  [['import', '--from=http://[', '--data-dir=missing'], 2, 'http://['],
  [['import', '--from=x', '--storage=etcd'], 2, 'etcd-servers must be specified'],
  [['import', '--from=x', '--storage-media-type=text/plain'], 2, 'must be one of application/vnd.kubernetes.protobuf'],
])('%j is refused', async (args, code, message) => {
  expect(await runHere(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
});

test.each(['import', 'export'])('%s has a help of its own', async (command) => {
  const { code, stdout } = await runHere(command, '--help');
  expect(code).toBe(0);
  expect(stdout).toContain(`keelson ${command}`);
  expect(stdout).toContain('--skip-unreadable');
});
