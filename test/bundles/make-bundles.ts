/** Before the tests: bundles the sources. To load 1,500 files takes a process longer than to run most tests. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { bundles, commandScript, modulesBundle, root } from './bundles.ts';

const worker = 'src/storage/embedded/worker.ts';
const command = 'src/cli/main.ts';

export default async function makeBundles(project: TestProject): Promise<void> {
  await makeAll();
  project.onTestsRerun(makeAll);
}

async function makeAll(): Promise<void> {
  await mkdir(bundles, { recursive: true });
  await copyFile(join(root, 'package.json'), join(bundles, 'package.json'));
  const modules = join(bundles, 'modules.ts');
  await writeFile(modules, await exportsOfAllModules());
  await Promise.all([
    // One file, because the name of a chunk contains a hash: each change would leave another one in the compile cache.
    make(dirname(modulesBundle), { entryPoints: { modules, 'embedded-worker': worker }, sourcemap: 'linked' }),
    make(dirname(commandScript), { entryPoints: { cli: command, 'embedded-worker': worker }, splitting: true }),
  ]);
}

async function exportsOfAllModules(): Promise<string> {
  const files = await readdir(join(root, 'src'), { recursive: true });
  return (
    files
      .filter((path) => path.endsWith('.ts') && !/\.(test|conformance)\.ts$/.test(path))
      .map((path) => `src/${path.replaceAll('\\', '/')}`)
      // Programs run when they are imported.
      .filter((path) => path !== worker && path !== command)
      .sort()
      .map((path) => `export * as '${path}' from '../../${path}';\n`)
      .join('')
  );
}

/** Writes the folder only when something has changed, since tests of another run may be using it. */
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
  const isCurrent = await Promise.all(
    outputFiles.map(async ({ path, contents }) => (await readFile(path).catch(() => undefined))?.equals(contents)),
  );
  if (isCurrent.every((current) => current === true)) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
}
