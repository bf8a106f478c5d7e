import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundles, commandScript } from '../bundles/bundles.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

it('a server leaves its compiled code for the next one', async () => {
  const folder = await mkdtemp(join(bundles, 'command-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Other tests may be writing compiled code.
  await cp(dirname(commandScript), folder, { recursive: true, filter: (path) => basename(path) !== '.compiled' });
  const compiled = join(folder, '.compiled');
  const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--storage=memory', '--controllers='];
  for (let start = 0; start < 2; start++) {
    const server = new ServeProcess(['serve', ...flags, `--data-dir=${await temporaryDirectory()}`], {
      script: join(folder, basename(commandScript)),
    });
    expect((await (await server.api()).get('/readyz')).status).toBe(200);
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    const [engine] = await readdir(compiled);
    const scripts = await readdir(join(compiled, engine!));
    expect(scripts.filter((name) => /^server-.*\.script\.cjs$/.test(name))).toHaveLength(1);
  }
});
