import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, readlink, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Group and others may write. */
const written = 0o022;
/** Group and others may read or write. */
const seen = 0o077;

/**
 * Makes the data directory, for its owner alone, or sees to it that nobody else can change what is in it or read its keys.
 * Rejects with all that is wrong and the commands that mend it.
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const problems = [
    ...modeProblems(directory, await stat(directory), written),
    ...(await problemsOfCertificates(join(directory, 'pki'))),
    ...(await problemsOfStore(join(directory, 'store'))),
  ];
  if (problems.length === 0) return;
  throw new Error(`the data directory ${directory} is not safe to use\n${problems.join('\n')}`);
}

/** A file may be a link into a directory of secrets; what counts is the file behind it. */
async function problemsOfCertificates(directory: string): Promise<string[]> {
  const found = await ifPresent(stat(directory));
  if (found === undefined) return [];
  const names = found.isDirectory() ? await readdir(directory) : [];
  const files = names.filter((name) => /\.(crt|key)$/.test(name)).map((name) => join(directory, name));
  const problems = await Promise.all(
    files.map(async (file) => {
      const target = await ifPresent(stat(file));
      return target === undefined ? [] : modeProblems(file, target, file.endsWith('.key') ? seen : written);
    }),
  );
  return [...modeProblems(directory, found, written), ...problems.flat()];
}

/** Links are refused: two servers that come to one store by different paths must not take it for two. */
async function problemsOfStore(directory: string): Promise<string[]> {
  const found = await ifPresent(lstat(directory));
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return [await linkProblem(directory)];
  const names = found.isDirectory() ? await readdir(directory) : [];
  const problems = await Promise.all(
    names
      .filter((name) => name.startsWith('storage.'))
      .map(async (name) => {
        const file = join(directory, name);
        const target = await ifPresent(lstat(file));
        if (target?.isSymbolicLink()) return [await linkProblem(file)];
        // The lock holds nothing, and SQLite makes it as the umask says.
        const forbidden = name.startsWith('storage.lock') ? written : seen;
        return target === undefined ? [] : modeProblems(file, target, forbidden);
      }),
  );
  return [...modeProblems(directory, found, written), ...problems.flat()];
}

function modeProblems(path: string, { mode }: Stats, forbidden: number): string[] {
  if ((mode & forbidden) === 0) return [];
  return forbidden === seen
    ? [`${path} can be read or written by others: run chmod 600 ${quoted(path)}`]
    : [`${path} can be written by others: run chmod go-w ${quoted(path)}`];
}

async function linkProblem(path: string): Promise<string> {
  const target = resolve(path, '..', await readlink(path));
  return `${path} is a symbolic link: run rm ${quoted(path)} && mv ${quoted(target)} ${quoted(path)}`;
}

async function ifPresent(found: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await found;
  } catch (error) {
    // Another server may just be making or removing files; the lock of the store is for later.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
