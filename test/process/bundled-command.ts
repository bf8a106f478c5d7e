import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface BundledCommand {
  /** Path of the program. */
  readonly script: string;
  remove(): Promise<void>;
}

/** The command line as it would be published: it starts several times as fast as its sources, and no build has to come first. */
export async function bundleCommand(): Promise<BundledCommand> {
  const root = join(import.meta.dirname, '..', '..');
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'keelson-command-'));
  await build({
    absWorkingDir: root,
    entryPoints: { cli: 'src/cli/main.ts', 'embedded-worker': 'src/storage/embedded/worker.ts' },
    outdir: join(directory, 'dist'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  // It looks there for its version.
  await copyFile(join(root, 'package.json'), join(directory, 'package.json'));
  return { script: join(directory, 'dist', 'cli.js'), remove: () => rm(directory, { recursive: true, force: true }) };
}
