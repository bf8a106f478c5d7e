/**
 * Each test file, with the processes that it starts, runs in an empty directory with an empty HOME: no test may depend
 * on what is in the checkout or in the home of the user.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const own = mkdtempSync(join(tmpdir(), 'keelson-own-'));
const home = join(own, 'home');
const directory = join(own, 'directory');
for (const folder of [home, directory]) mkdirSync(folder);

process.env.HOME = home;
// These name places in the home of the user.
for (const name of ['KUBECONFIG', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']) {
  delete process.env[name];
}
process.chdir(directory);

afterAll(() => {
  process.chdir(tmpdir());
  rmSync(own, { recursive: true, force: true });
});
