import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BundledCommand, bundleCommand } from './bundled-command.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

let command: BundledCommand;
beforeAll(async () => {
  command = await bundleCommand();
});
afterAll(() => command.remove());

it('are not loaded before OpenAPI is asked for', async () => {
  const folder = dirname(command.script);
  const parts = (await readdir(folder)).filter((name) => /^descriptions-.*\.js$/.test(name));
  expect(parts).toHaveLength(1);
  // Whoever tries to load the file that holds them fails from now on.
  await rename(join(folder, parts[0]!), join(folder, 'removed.js'));
  const always = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--storage=memory'];
  const server = new ServeProcess(command.script, ['serve', ...always, `--data-dir=${await temporaryDirectory()}`]);
  const api = await server.api();
  for (const path of ['/readyz', '/apis', '/api/v1', '/api/v1/namespaces/default/configmaps']) {
    expect((await api.get(path)).status).toBe(200);
  }
  expect((await api.get('/openapi/v2')).status).toBe(500);
});
