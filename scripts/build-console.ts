import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Bundles the pages of console/. Files below assets/ have a hash of their content in their name. Each
 * file has a compressed one beside it.
 */
export async function buildConsole(root: string, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['console/main.tsx'],
    tsconfig: 'console/tsconfig.json',
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  });
  const entry = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === 'console/main.tsx')!;
  const tags = [
    `<link rel="stylesheet" href="/console/assets/${basename(entry[1].cssBundle!)}" />`,
    ...entry[1].imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => `<link rel="modulepreload" href="/console/assets/${basename(path)}" />`),
    `<script type="module" src="/console/assets/${basename(entry[0])}"></script>`,
  ];
  const page = readFileSync(join(root, 'console', 'index.html'), 'utf8');
  writeFileSync(join(target, 'index.html'), page.replace('<!-- assets -->', tags.join('\n    ')));
  writeFileSync(join(target, 'icon.svg'), readFileSync(join(root, 'console', 'icon.svg')));
  for (const file of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}
