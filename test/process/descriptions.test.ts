import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundles, commandScript } from '../bundles/bundles.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

it('are not loaded before OpenAPI is requested', async () => {
  const folder = await mkdtemp(join(bundles, 'command-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Other tests may be writing compiled code.
  await cp(dirname(commandScript), folder, { recursive: true, filter: (path) => basename(path) !== '.compiled' });
  const files = (await readdir(folder)).filter((name) => /^descriptions-.*\.cjs$/.test(name));
  expect(files).toHaveLength(1);
  // Loading the file with the descriptions fails from now on.
  await rename(join(folder, files[0]!), join(folder, 'removed.cjs'));
  const always = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--storage=memory', '--controllers='];
  const server = new ServeProcess(['serve', ...always, `--data-dir=${await temporaryDirectory()}`], {
    script: join(folder, basename(commandScript)),
  });
  const api = await server.api();
  for (const path of ['/readyz', '/apis', '/api/v1', '/api/v1/namespaces/default/configmaps']) {
    expect((await api.get(path)).status).toBe(200);
  }
  expect((await api.get('/openapi/v2')).status).toBe(500);
});
