/**
 * `npm test`: builds, downloads the clients that the tests use, and runs the suite. `--long` runs the files
 * `*.long.test.ts` instead. `--alone` runs each file in a process of its own, and files and tests in random order.
 * Passes other arguments to vitest. Where the checkout cannot be written, its files go to a temporary folder.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cacheFolder, root } from './output-folders.ts';
import { isWritable, withStandIn } from './stand-in.ts';
import { fetchEtcds } from './test-clients/etcd.ts';
import { fetchChromium, fetchHttp2Clients } from './test-clients/http2-clients.ts';
import { fetchJest } from './test-clients/jest.ts';
import { fetchKubectls } from './test-clients/kubectl.ts';
import { fetchLanguages, fetchPythonClient } from './test-clients/language-clients.ts';
import { fetchPrometheus } from './test-clients/prometheus.ts';

function run(args: readonly string[], env = process.env): number {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

function node(...args: string[]): void {
  const status = run(args);
  if (status !== 0) process.exit(status);
}

if (!isWritable(root) && process.env.TEST_OUTPUT === undefined) {
  const status = withStandIn((folder) => {
    console.warn(`${root} cannot be written: what the tests build and download is in ${folder} until they end`);
    return run(process.argv.slice(1), { ...process.env, TEST_OUTPUT: folder });
  });
  process.exit(status);
}

node('scripts/build.ts', '--if-needed');
for (const missing of await fetchKubectls()) console.warn(`Tests with this kubectl are skipped: ${missing}`);
for (const missing of await fetchEtcds()) console.warn(`Tests with this etcd are skipped: ${missing}`);
for (const missing of await fetchHttp2Clients()) console.warn(`Tests with this HTTP/2 client are skipped: ${missing}`);
for (const missing of await fetchChromium()) console.warn(`Tests with a browser are skipped: ${missing}`);
for (const missing of await fetchPrometheus()) console.warn(`Tests with Prometheus are skipped: ${missing}`);
for (const missing of await fetchPythonClient()) console.warn(`Tests with Python's client are skipped: ${missing}`);
const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== '--long' && arg !== '--alone');
if (given.includes('--long')) {
  process.env.TEST_LONG = '1';
  for (const missing of await fetchLanguages()) console.warn(`Tests with this language are skipped: ${missing}`);
  for (const missing of await fetchJest()) console.warn(`Tests with jest are skipped: ${missing}`);
}
if (given.includes('--alone')) {
  // Printed at the end, too: the output of a run is long.
  const seed = process.env.TEST_ORDER_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  const note = (): void => console.log(`The order of this run: TEST_ORDER_SEED=${seed}`);
  note();
  process.on('exit', note);
  args.push('--isolate', '--sequence.shuffle', `--sequence.seed=${seed}`);
}
process.env.NODE_COMPILE_CACHE ??= join(cacheFolder, 'compiled');
// Vitest keeps a token in the home of the user otherwise, which may not be writable.
process.env.XDG_DATA_HOME = join(cacheFolder, 'data');
// The other loaders of configurations write beside them.
node('node_modules/vitest/vitest.mjs', 'run', '--configLoader=native', ...args);
