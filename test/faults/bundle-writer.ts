import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { cacheFolder, root } from '../../scripts/output-folders.ts';

export interface Bundle {
  /** Path of the bundled `crash-writer.ts`. */
  readonly writer: string;
  readonly storage: typeof import('../../src/storage/index.ts');
  remove(): Promise<void>;
}

/**
 * Bundles the store and the writer as they would be published. The bundle starts several times faster than the sources,
 * and the test also covers how a bundle finds its worker.
 */
export async function bundleWriter(): Promise<Bundle> {
  const directory = await mkdtemp(join(cacheFolder, 'crash-'));
  await build({
    entryPoints: {
      'crash-writer': join(import.meta.dirname, 'crash-writer.ts'),
      storage: join(root, 'src', 'storage', 'index.ts'),
      'embedded-worker': join(root, 'src', 'storage', 'embedded', 'worker.ts'),
    },
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  // The product starts its threads by such names.
  await writeFile(join(directory, 'embedded-worker.cjs'), "import('./embedded-worker.js');\n");
  return {
    writer: join(directory, 'crash-writer.js'),
    storage: await import(pathToFileURL(join(directory, 'storage.js')).href),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
