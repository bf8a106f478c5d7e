/**
 * Loads the scripts of the bundled program together with the code that V8 compiled for them in an earlier start.
 *
 * The compile cache of Node.js contains only what V8 compiles while it loads a file: it writes an entry at once, and
 * most functions are compiled when they are called first. Here the code is written after a start, with all functions
 * that the start has called, so that later starts compile nothing. Modules cannot be written at that time, therefore
 * the bundle consists of scripts.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';

/** Scripts with this ending have a hash of their contents in their name. */
const hashed = '.script.cjs';
/** The code of smaller scripts takes longer to read than to compile. In bytes of the source. */
const minSize = 64 * 1024;
const checksumBytes = 4;
/** V8 accepts code only from the same version with the same flags. Some flags change later in a process. */
let engine: string | undefined;
const thisScript = fileURLToPath(import.meta.url);

interface LoadedScript {
  exports: unknown;
  /** Set if its compiled code has to be written. */
  compiled: Script | undefined;
}

const loaded = new Map<string, LoadedScript>();

/**
 * Runs a script of the bundle (`scripts/bundle.ts`) and the scripts that it requires. Returns what it exports. Packages
 * and built-in modules are loaded with the given function.
 */
export function runScript(path: string, requireOther: (name: string) => unknown): unknown {
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;
  const bytes = readFile(path);
  const keepsCode = path.endsWith(hashed) && bytes.length >= minSize;
  // The bundle is ASCII. V8 would keep a large file with two bytes per character if it were read as UTF-8.
  const source = bytes.toString('latin1');
  release(bytes);
  const data = keepsCode ? readCompiled(path) : undefined;
  const script = new Script(source, {
    filename: path,
    ...(data !== undefined && { cachedData: data }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (data !== undefined) release(data);
  const module: LoadedScript = { exports: {}, compiled: keepsCode && data === undefined ? script : undefined };
  loaded.set(path, module);
  const folder = dirname(path);
  const require = (name: string): unknown => {
    const other = join(folder, name);
    // Packages that the bundle carries are in folders.
    const isScript = name.startsWith('./') && dirname(other) === folder && other !== thisScript;
    return isScript ? runScript(other, requireOther) : requireOther(name);
  };
  try {
    script.runInThisContext()(module.exports, require, module, path, folder);
  } catch (error) {
    loaded.delete(path);
    throw error;
  }
  return module.exports;
}

/**
 * Writes the code of the scripts for which there was none. V8's flags must be those of the start. Nothing needs this
 * code, so a directory that cannot be written is no error.
 */
export function writeCompiledCode(): void {
  for (const [path, script] of loaded) {
    const { compiled } = script;
    if (compiled === undefined) continue;
    script.compiled = undefined;
    const target = compiledPath(path);
    const data = compiled.createCachedData();
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(checksumOf(data));
    // Another process may be reading the target.
    const written = `${target}.${process.pid}`;
    try {
      mkdirSync(dirname(target), { recursive: true });
      try {
        writeFileSync(written, Buffer.concat([data, checksum]));
        renameSync(written, target);
      } finally {
        rmSync(written, { force: true });
      }
    } catch {
      return;
    }
  }
}

/**
 * Reads a file into memory of its own, which `release` returns to the system. The allocator of a thread would keep it.
 */
function readFile(path: string): Buffer<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }));
    let at = 0;
    for (let count = 1; at < size && count > 0; at += count) count = readSync(file, bytes, at, size - at, null);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function release({ buffer }: Buffer<ArrayBuffer>): void {
  buffer.resize(0);
}

/** Returns undefined if there is no intact code. V8 does not notice damage, and would run it. */
function readCompiled(path: string): Buffer<ArrayBuffer> | undefined {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFile(compiledPath(path));
  } catch {
    return undefined;
  }
  const end = bytes.length - checksumBytes;
  if (end <= 0 || checksumOf(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) return undefined;
  return bytes.subarray(0, end);
}

// The storage thread needs none of the modules below, and starts sooner without them.

function checksumOf(data: Buffer): number {
  return process.getBuiltinModule('node:zlib').crc32(data);
}

function compiledPath(path: string): string {
  engine ??= `${process.version}-${process.arch}-${process.getBuiltinModule('node:v8').cachedDataVersionTag()}`;
  return join(dirname(path), '.compiled', `scripts-${engine}`, basename(path));
}
