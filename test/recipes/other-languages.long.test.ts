import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { fetchedGo, fetchedRuby } from '../../scripts/test-clients/language-clients.ts';
import { commandScript } from '../bundles/bundles.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { recipe } from './recipe.ts';

const run = promisify(execFile);
const keelson = { KEELSON: `${process.execPath} ${commandScript}` };

const ruby = fetchedRuby();
it.skipIf(ruby === undefined)('the recipe for Ruby', async () => {
  const program = join(await temporaryDirectory(), 'recipe.rb');
  await writeFile(program, recipe('ruby'));
  const { stdout } = await run(ruby!.path, [program], { env: { ...ruby!.env, ...keelson } });
  expect(stdout).toBe('found after 3 tries, 2 faults\n');
});

const go = fetchedGo();
it.skipIf(go === undefined)('the recipe for Go', async () => {
  const folder = await temporaryDirectory();
  const program = join(folder, 'recipe.go');
  await writeFile(program, recipe('go'));
  const env = { ...go!.env, ...keelson, GOCACHE: join(folder, 'cache') };
  const { stdout } = await run(go!.path, ['run', program], { env });
  expect(stdout).toBe('1 200 HTTP/2.0\n2 failed\n3 200 HTTP/2.0\n');
});
