import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, readlink, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Mode bits that let the group or others write. */
const othersWrite = 0o022;
/** Mode bits that give the group or others any permission. */
const othersAccess = 0o077;

/**
 * Creates the data directory with access for its owner only, or verifies that no other user can change its content or
 * read its keys. Rejects with all problems and the commands that fix them.
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Windows has no file modes.
  if (process.platform === 'win32') return;
  const problems = [
    ...modeProblems(directory, await stat(directory), othersWrite),
    ...(await problemsOfKubeconfig(join(directory, 'admin.kubeconfig'))),
    ...(await problemsOfCertificates(join(directory, 'pki'))),
    ...(await problemsOfStore(join(directory, 'store'))),
  ];
  if (problems.length === 0) return;
  throw new Error(`the data directory ${directory} is not safe to use\n${problems.join('\n')}`);
}

/**
 * It contains a key, so it is treated like those in `pki`. The server writes a new file with the same key, which would
 * hide that others may know the key.
 */
async function problemsOfKubeconfig(file: string): Promise<string[]> {
  const found = await ifPresent(stat(file));
  return found === undefined ? [] : modeProblems(file, found, othersAccess);
}

/** Checks the certificate files. They may be symlinks into a directory of secrets. The mode of the target counts. */
async function problemsOfCertificates(directory: string): Promise<string[]> {
  const found = await ifPresent(stat(directory));
  if (found === undefined) return [];
  const names = found.isDirectory() ? await readdir(directory) : [];
  const files = names.filter((name) => /\.(crt|key)$/.test(name)).map((name) => join(directory, name));
  const problems = await Promise.all(
    files.map(async (file) => {
      const target = await ifPresent(stat(file));
      return target === undefined ? [] : modeProblems(file, target, file.endsWith('.key') ? othersAccess : othersWrite);
    }),
  );
  return [...modeProblems(directory, found, othersWrite), ...problems.flat()];
}

/** Checks the store. Symlinks are refused, because two servers could otherwise open one store by different paths. */
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
        // The lock file has no content, and SQLite creates it with the umask.
        const forbidden = name.startsWith('storage.lock') ? othersWrite : othersAccess;
        return target === undefined ? [] : modeProblems(file, target, forbidden);
      }),
  );
  return [...modeProblems(directory, found, othersWrite), ...problems.flat()];
}

function modeProblems(path: string, { mode }: Stats, forbidden: number): string[] {
  if ((mode & forbidden) === 0) return [];
  return forbidden === othersAccess
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
    // Another server may be creating or removing files. The lock of the store is taken later.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
