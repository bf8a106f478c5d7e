/**
 * Bundles the product into dist/: the modules for programs of users, the command line and its threads, with shared
 * chunks and the package of the database beside them, and the pages of the console. With `--if-needed` only when a
 * source or the list of packages is newer than the bundle.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './build-console.ts';
import { bundleLibraries, bundlePrograms } from './bundle.ts';
import { copyDatabasePackage } from './database-package.ts';
import { distFolder, root } from './output-folders.ts';
import { pruneDeclarations } from './prune-declarations.ts';

const marker = join(distFolder, 'cli.cjs');

function newestSource(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

function isCurrent(): boolean {
  const built = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [newestSource(join(root, 'src')), newestSource(join(root, 'console'))];
  const packages = ['package.json', 'package-lock.json'].map((name) => statSync(join(root, name)).mtimeMs);
  return built > Math.max(...sources, ...packages);
}

const ifNeeded = process.argv.includes('--if-needed');
if (!ifNeeded || !isCurrent()) {
  rmSync(distFolder, { recursive: true, force: true });
  copyDatabasePackage(distFolder);
  await Promise.all([bundlePrograms(distFolder), bundleLibraries(distFolder)]);
  await buildConsole(root, join(distFolder, 'console'));
  // The server does not need the type declarations to start.
  if (!ifNeeded) {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.types.json')], { stdio: 'inherit' });
    const libraries = ['index.d.ts', 'extension-server/index.d.ts', 'testing/index.d.ts'];
    pruneDeclarations(join(distFolder, 'types'), libraries);
  }
}
