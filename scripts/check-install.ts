/**
 * `npm run check:install`: installs and starts a copy of the checkout, and a project that depends on the packed package,
 * where there is neither a compiler, nor Python, nor the headers of Node.js. Nothing of either may be needed, or used.
 */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startOnce } from './start-once.ts';

const root = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'keelson-install-'));
const checkout = join(directory, 'checkout');
const project = join(directory, 'project');

try {
  await checkCheckout();
  await checkPackage();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function checkCheckout(): Promise<void> {
  const env = environmentWith({ node: programOnPath('node') });
  copySources(checkout);
  run(['npm', 'ci'], { directory: checkout, env });
  // npm 10 leaves no link to the pinned Node.js.
  rmSync(join(checkout, 'node_modules/.bin/node'), { force: true });
  await startOnce(['npm', 'start', '--'], { directory: checkout, env });
}

async function checkPackage(): Promise<void> {
  // The package needs a newer Node.js than the checkout.
  const env = environmentWith({ node: process.execPath });
  run(['npm', 'run', 'package', '--', `--pack-destination=${directory}`], { directory: checkout, env });
  const file = readdirSync(directory).find((name) => name.endsWith('.tgz'))!;
  mkdirSync(project);
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, dependencies: { keelson: `../${file}` } }),
  );
  run(['npm', 'install', '--package-lock-only'], { directory: project, env });
  run(['npm', 'ci', '--ignore-scripts=false'], { directory: project, env });
  await startOnce(['npx', 'keelson', 'serve'], { directory: project, env });
  const library = `const { startServer } = await import('keelson'); await (await startServer()).stop();`;
  run(['node', '--input-type=module', '--eval', library], { directory: project, env });
}

/** Copies what git has or would add. */
function copySources(target: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files)
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(target, file));
}

/** The environment of the user, with a PATH that has npm, a shell and the given programs only. */
function environmentWith(programs: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const path = mkdtempSync(join(directory, 'path-'));
  const all = { npm: programOnPath('npm'), npx: programOnPath('npx'), sh: programOnPath('sh'), ...programs };
  for (const [name, target] of Object.entries(all)) symlinkSync(target, join(path, name));
  const noHeaders = join(path, 'no-headers');
  mkdirSync(noHeaders);
  // npm passes settings on in the environment, such as those of this checkout. The user's own are read from their files.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(registry|cache|userconfig)$).*|CC|CXX|PYTHON|NODE_GYP_.*|NODE_PATH)$/i.test(name),
  );
  return { ...Object.fromEntries(kept), PATH: path, npm_config_nodedir: noHeaders, npm_config_devdir: noHeaders };
}

/** Finds a program of the user, as opposed to those of this checkout. */
function programOnPath(name: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found === undefined) throw new Error(`${name} is not on the PATH`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface Place {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

function run([program, ...args]: readonly string[], { directory: cwd, env }: Place): void {
  console.log(`${program} ${args.join(' ')} (in ${cwd})`);
  execFileSync(program!, args, { cwd, env, stdio: 'inherit' });
}
