/** `npm test`: builds, fetches the clients that the tests drive, and runs the suite. Arguments go to vitest. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchKubectls } from './test-clients/kubectl.ts';

const root = join(import.meta.dirname, '..');

function node(...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

node('scripts/build.ts', '--if-needed');
for (const missing of await fetchKubectls()) console.warn(`Tests with this kubectl are skipped: ${missing}`);
node('node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2));
