import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type CodeSplittingGroup, type OutputAsset, type OutputChunk } from 'rolldown';

const root = join(import.meta.dirname, '..');
const command = join(root, 'src/cli/main.ts');
const commands = join(root, 'src/cli/commands.ts');
const serve = join(root, 'src/cli/serve.ts');
const extension = join(root, 'src/extension-server/index.ts');
const storeThread = join(root, 'src/storage/embedded/worker.ts');

/** The programs of the product, by file name. */
export const programs = {
  cli: command,
  'embedded-worker': storeThread,
  'api-thread': join(root, 'src/server/threads/api-thread.ts'),
  'health-thread': join(root, 'src/server/threads/health-thread.ts'),
};

/** The modules that programs of users import, by file name. */
export const libraries = {
  index: join(root, 'src/index.ts'),
  extension,
  testing: join(root, 'src/testing/index.ts'),
};

/**
 * Bundles the entry points with their shared parts, and writes the files if a directory is given. The modules that
 * every start loads are in few files, because resolving many small files costs more than running them. Modules that are
 * loaded on demand are in separate files.
 */
export async function bundle(
  input: Readonly<Record<string, string>>,
  { directory, sourcemap = false }: { directory?: string; sourcemap?: boolean } = {},
): Promise<readonly (OutputChunk | OutputAsset)[]> {
  const { output } = await build({
    cwd: root,
    platform: 'node',
    input,
    // Native modules and modules that are loaded by name stay in node_modules.
    external: [/^@grpc\/grpc-js/, 'better-sqlite3', 'pino', /^protobufjs/, 'undici'],
    transform: { target: 'node22', define: { SOURCE_DIGEST: JSON.stringify(digestOfSources()) } },
    checks: { ineffectiveDynamicImport: false },
    write: directory !== undefined,
    output: {
      ...(directory !== undefined && { dir: directory }),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: startGroups() },
      // With a single character outside of Latin-1, V8 would keep the whole file with two bytes per character.
      charset: 'ascii',
      minify: { compress: false, mangle: false, codegen: true },
      sourcemap,
    },
  });
  return output;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  const folder = join(root, 'src');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (path.endsWith('.ts') && !path.endsWith('.test.ts')) hash.update(path).update(readFileSync(join(folder, path)));
  }
  return hash.digest('hex');
}

type ModuleGraph = Parameters<Extract<CodeSplittingGroup['name'], (...args: never) => unknown>>[1];

/**
 * A module belongs to the first group that includes it. The first groups are small, so that the storage thread loads
 * nothing that it does not need. Node.js keeps files of more than 1 MB with two bytes per character, so each group is
 * smaller.
 */
function startGroups(): CodeSplittingGroup[] {
  const group = (name: string, entry: string, priority: number): CodeSplittingGroup => ({
    debugName: name,
    name: startGroup(name, entry),
    priority,
  });
  return [
    group('start', command, 7),
    group('commands', commands, 6),
    group('store', storeThread, 5),
    group('registry', join(root, 'src/registry/index.ts'), 4),
    group('library', extension, 3),
    group('resources', join(root, 'src/resources/index.ts'), 2),
    group('server', serve, 1),
  ];
}

/** The modules that an entry point imports statically, if a start of the server needs them too. */
function startGroup(name: string, entry: string): (id: string, graph: ModuleGraph) => string | null {
  let needed: readonly ReadonlySet<string>[] | undefined;
  return (id, graph) => {
    needed ??= [entry, serve].map((each) => staticallyImported(each, graph));
    return needed.every((modules) => modules.has(id)) ? name : null;
  };
}

function staticallyImported(entry: string, graph: ModuleGraph): Set<string> {
  const known = new Set<string>();
  const waiting = [entry];
  for (const id of waiting) {
    if (known.has(id)) continue;
    known.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return known;
}
