/**
 * Bundles the product into dist/: the modules for programs of users, the command line and its threads, with shared
 * chunks beside them, and the pages of the console. With `--if-needed` only when a source is newer than the bundle.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './build-console.ts';
import { bundleLibraries, bundlePrograms } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const marker = join(root, 'dist', 'cli.cjs');

function newestSource(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

function isCurrent(): boolean {
  const built = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [newestSource(join(root, 'src')), newestSource(join(root, 'console'))];
  return built > Math.max(...sources, statSync(join(root, 'package.json')).mtimeMs);
}

const ifNeeded = process.argv.includes('--if-needed');
if (!ifNeeded || !isCurrent()) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await Promise.all([bundlePrograms(join(root, 'dist')), bundleLibraries(join(root, 'dist'))]);
  await buildConsole(root);
  // The server does not need the type declarations to start.
  if (!ifNeeded) {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.types.json')], { stdio: 'inherit' });
  }
}
