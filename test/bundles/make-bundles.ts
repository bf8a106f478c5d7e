/** Bundles the sources before the tests run. Loading 1,500 files takes a process longer than most tests take. */
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { bundlePrograms } from '../../scripts/bundle.ts';
import { databasePackage } from '../../scripts/database-package.ts';
import { distFolder } from '../../scripts/output-folders.ts';
import { bundles, commandScript, modulesBundle, root } from './bundles.ts';

const worker = 'src/storage/embedded/worker.ts';
const apiThread = 'src/server/threads/api-thread.ts';
const healthThread = 'src/server/threads/health-thread.ts';
const command = 'src/cli/main.ts';
const threads = { 'embedded-worker': worker, 'api-thread': apiThread, 'health-thread': healthThread };

export default async function makeBundles(project: TestProject): Promise<void> {
  await makeAll();
  project.onTestsRerun(makeAll);
}

async function makeAll(): Promise<void> {
  const modules = join(bundles, 'modules.ts');
  await mkdir(bundles, { recursive: true });
  await update(join(bundles, 'package.json'), await readFile(join(root, 'package.json')));
  await update(modules, Buffer.from(await exportsOfAllModules()));
  await Promise.all([
    // The bundle is one file. The names of chunks contain a hash, so each change would leave another file in the
    // compile cache.
    make(dirname(modulesBundle), { entryPoints: { modules, ...threads }, sourcemap: 'linked' }),
    makeCommand(dirname(commandScript)),
  ]);
  await Promise.all([modulesBundle, commandScript].map((bundle) => link('console', dirname(bundle))));
  await link(databasePackage, dirname(commandScript));
}

/**
 * Links what servers look for beside their bundle: the pages of the console and the database. `npm test` has built
 * them. The link is relative, so that it stays right when the repository is copied or moved.
 */
async function link(name: string, folder: string): Promise<void> {
  await symlink(relative(folder, join(distFolder, name)), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function exportsOfAllModules(): Promise<string> {
  const sources = relative(bundles, root).replaceAll('\\', '/');
  const files = await readdir(join(root, 'src'), { recursive: true });
  return (
    files
      .filter((path) => path.endsWith('.ts') && !/\.(test|conformance)\.ts$/.test(path))
      .map((path) => `src/${path.replaceAll('\\', '/')}`)
      // Programs are left out, because they run when they are imported.
      .filter((path) => ![worker, apiThread, healthThread, command].includes(path))
      .sort()
      .map((path) => `export * as '${path}' from '${sources}/${path}';\n`)
      .join('')
  );
}

async function makeCommand(folder: string): Promise<void> {
  const files = await bundlePrograms();
  await updateAll(
    folder,
    files.map(({ fileName, code }) => ({ path: join(folder, fileName), contents: Buffer.from(code) })),
  );
  // The names of scripts contain a hash, so each change would leave the compiled code of others.
  const current = new Set(files.map(({ fileName }) => fileName));
  const compiled = join(folder, '.compiled');
  for (const engine of await readdir(compiled).catch(() => [])) await removeOthers(join(compiled, engine), current);
}

async function make(folder: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    ...options,
    write: false,
  });
  // The product starts its threads by these names.
  const starts = Object.keys(threads).map((name) => ({
    path: join(folder, `${name}.cjs`),
    contents: Buffer.from(`import('./${name}.js');\n`),
  }));
  await updateAll(folder, [...outputFiles, ...starts]);
}

async function updateAll(
  folder: string,
  files: readonly { readonly path: string; readonly contents: Uint8Array }[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of files) await update(path, contents);
  await removeOthers(folder, new Set(files.map(({ path }) => basename(path))));
}

/** Removes scripts with other names. */
async function removeOthers(folder: string, current: ReadonlySet<string>): Promise<void> {
  const scripts = (await readdir(folder)).filter((name) => /\.c?js$/.test(name));
  for (const name of scripts) if (!current.has(name)) await rm(join(folder, name), { force: true });
}

/** Writes the file only if its contents differ, and replaces it atomically: tests of another run may be reading it. */
async function update(path: string, contents: Uint8Array): Promise<void> {
  const old = await readFile(path).catch(() => undefined);
  if (old?.equals(contents)) return;
  const made = `${path}.${process.pid}`;
  await writeFile(made, contents);
  await rename(made, path);
}
