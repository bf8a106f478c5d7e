import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build, type CodeSplittingGroup, type OutputChunk, type OutputOptions } from 'rolldown';
import { databaseModule, databasePackage } from './database-package.ts';

const root = join(import.meta.dirname, '..');
const command = join(root, 'src/cli/main.ts');
const commands = join(root, 'src/cli/commands.ts');
const serve = join(root, 'src/cli/serve.ts');
const extension = join(root, 'src/extension-server/index.ts');
const storeThread = join(root, 'src/storage/embedded/worker.ts');
const loader = join(root, 'src/cli/program-scripts.ts');
const server = join(root, 'src/server/index.ts');
const registry = join(root, 'src/registry/index.ts');
const resources = join(root, 'src/resources/index.ts');

/** The programs of the product, by file name. */
const programs = {
  cli: command,
  'embedded-worker': storeThread,
  'api-thread': join(root, 'src/server/threads/api-thread.ts'),
  'health-thread': join(root, 'src/server/threads/health-thread.ts'),
};

/** The modules that programs of users import, by file name. */
const libraries = {
  index: join(root, 'src/index.ts'),
  extension,
  testing: join(root, 'src/testing/index.ts'),
};

/** Loads the scripts of the programs. */
const programScripts = 'program-scripts';
/** A script is a function with the parameters of a CommonJS module. */
const scriptOpening = '(function (exports, require, module, __filename, __dirname) {';
const scriptClosing = '})';

const maxDefaultObjectBytes = 16 * 1024 * 1024;

type Output = readonly Pick<OutputChunk, 'fileName' | 'code'>[];

/**
 * Bundles the programs as scripts with their shared parts (`cli/program-scripts.ts`), and writes the files if a
 * directory is given. What every start needs is in one script. Modules that are loaded on demand are in others.
 */
export async function bundlePrograms(directory?: string): Promise<Output> {
  const defaultObjects = preparedDefaultObjects();
  const { output } = await build({
    ...common({ ...programs, [programScripts]: loader }),
    write: false,
    output: {
      ...outputOptions,
      format: 'cjs',
      exports: 'named',
      entryFileNames: ({ name }) => (name === programScripts ? '[name].cjs' : '[name].entry.cjs'),
      chunkFileNames: '[name]-[hash].script.cjs',
      banner: ({ name }) => (name === programScripts ? '' : scriptOpening),
      footer: ({ name }) => (name === programScripts ? '' : scriptClosing),
      codeSplitting: {
        groups: startGroups(serve, { scripts: loader, start: command, commands, store: storeThread, server: serve }),
      },
      sourcemap: directory !== undefined,
    },
  });
  const scripts = output.map((file) => ({
    fileName: file.fileName,
    code: file.type === 'chunk' ? file.code : file.source.toString(),
  }));
  const entries = output
    .filter((file) => file.type === 'chunk')
    .filter(({ isEntry, name }) => isEntry && name !== programScripts)
    .map(({ name, fileName }) => ({ fileName: `${name}.cjs`, code: entryModule(fileName) }));
  const files = [...scripts, ...entries, { fileName: 'default-objects.json', code: await defaultObjects }];
  if (directory !== undefined) {
    mkdirSync(directory, { recursive: true });
    for (const { fileName, code } of files) writeFileSync(join(directory, fileName), code);
  }
  return files;
}

async function preparedDefaultObjects(): Promise<string> {
  const script = join(import.meta.dirname, 'prepare-default-objects.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: maxDefaultObjectBytes });
  return stdout;
}

/** The module by which Node.js starts a program or a thread. */
function entryModule(script: string): string {
  return `require('./${programScripts}.cjs').runScript(require.resolve('./${script}'), require);
`;
}

/**
 * Bundles the modules that programs of users import, with their shared parts. The modules that every start loads are in
 * few files, because resolving many small files costs more than running them. Node.js keeps files of more than 1 MB with
 * two bytes per character, so each file is smaller.
 */
export async function bundleLibraries(directory: string): Promise<void> {
  await build({
    ...common(libraries),
    output: {
      ...outputOptions,
      dir: directory,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        groups: startGroups(server, { registry, library: extension, resources, server }),
      },
      sourcemap: true,
    },
  });
}

function common(input: Readonly<Record<string, string>>): BuildOptions {
  return {
    cwd: root,
    platform: 'node',
    input,
    // Modules that are loaded by name stay in node_modules. The database, a native module, is beside the bundle.
    external: [/^@grpc\/grpc-js/, databasePackage, 'pino', /^protobufjs/, 'undici'],
    transform: { target: 'node22', define: { SOURCE_DIGEST: JSON.stringify(digestOfSources()) } },
    checks: { ineffectiveDynamicImport: false },
  };
}

const outputOptions: OutputOptions = {
  paths: { [databasePackage]: databaseModule },
  // With a single character outside of Latin-1, V8 would keep the whole file with two bytes per character.
  charset: 'ascii',
  minify: { compress: false, mangle: false, codegen: true },
};

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
 * Groups that contain the modules which their entry points import statically, if a start needs them too. A module belongs
 * to the first group that includes it. The first groups are small, so that the storage thread loads nothing that it does
 * not need.
 */
function startGroups(start: string, entries: Readonly<Record<string, string>>): CodeSplittingGroup[] {
  return Object.entries(entries).map(([name, entry], index, { length }) => {
    let needed: readonly ReadonlySet<string>[] | undefined;
    return {
      debugName: name,
      name: (id, graph) => {
        needed ??= [entry, start].map((each) => staticallyImported(each, graph));
        return needed.every((modules) => modules.has(id)) ? name : null;
      },
      priority: length - index,
    };
  });
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
