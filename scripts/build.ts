/**
 * Bundles the product into dist/: one entry point each for programs, the command line and the storage thread, with
 * shared chunks beside them, and the pages of the console. With `--if-needed` only when a source is newer than the bundle.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildConsole } from './build-console.ts';

const root = join(import.meta.dirname, '..');
const marker = join(root, 'dist', 'cli.js');

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
  await build({
    absWorkingDir: root,
    entryPoints: {
      index: 'src/index.ts',
      extension: 'src/extension-server/index.ts',
      testing: 'src/testing/index.ts',
      cli: 'src/cli/main.ts',
      'embedded-worker': 'src/storage/embedded/worker.ts',
      'api-thread': 'src/server/threads/api-thread.ts',
    },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Native modules and modules that are loaded by name stay in node_modules. The rest is bundled, because resolving
    // many small files costs more than running them.
    external: ['@grpc/grpc-js', 'better-sqlite3', 'pino', 'protobufjs', 'undici'],
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  await buildConsole(root);
  // The server does not need the type declarations to start.
  if (!ifNeeded) {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.types.json')], { stdio: 'inherit' });
  }
}
