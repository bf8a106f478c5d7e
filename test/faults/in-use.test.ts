import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/index.ts';

test('a data directory belongs to one process, until that ends in whatever way', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-in-use-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const refusal = { code: 'InUse', message: expect.stringContaining(directory) };

  const owner = holdOpen(directory);
  expect(await owner.response).toEqual({ opened: true });
  await expect(openEmbeddedStorage({ directory })).rejects.toMatchObject(refusal);
  expect(await holdOpen(directory).response).toMatchObject(refusal);

  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  const storage = await openEmbeddedStorage({ directory });
  expect(await holdOpen(directory).response).toMatchObject(refusal);

  await storage.close();
  expect(await holdOpen(directory).response).toEqual({ opened: true });
});

function holdOpen(directory: string): { child: ChildProcess; response: Promise<unknown> } {
  const child = fork(join(import.meta.dirname, 'hold-open.ts'), [directory], { execArgv: [] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return { child, response: once(child, 'message').then(([message]) => message as unknown) };
}
