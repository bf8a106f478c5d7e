import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, readlink, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Mode bits that let the group or others write. */
const othersWrite = 0o022;
/** Mode bits that give the group or others any permission. */
const othersAccess = 0o077;

/** A file or directory, and the permissions that others must not have on it. */
interface Guarded {
  readonly path: string;
  readonly found: Stats;
  readonly forbidden: number;
}

/**
 * Creates the data directory with access for its owner only, or verifies that no other user than root can change its
 * content or read its keys. Rejects with all problems and the commands that fix them. `user` is the user of the
 * directory. Default: the user of this process.
 */
export async function prepareDataDirectory(directory: string, user = process.geteuid?.()): Promise<void> {
  await createDirectory(directory);
  // Windows has neither file modes nor numeric user IDs.
  if (user === undefined) return;
  const guarded = [
    { path: directory, found: await stat(directory), forbidden: othersWrite },
    ...(await kubeconfig(join(directory, 'admin.kubeconfig'))),
    ...(await certificates(join(directory, 'pki'))),
    ...(await store(join(directory, 'store'))),
  ];
  const links = guarded.filter(({ found }) => found.isSymbolicLink());
  const others = guarded.filter(({ found }) => !found.isSymbolicLink());
  const problems = [
    ...ownerProblems(others, user),
    ...others.flatMap(modeProblems),
    ...(await Promise.all(links.map(linkProblem))),
  ];
  if (problems.length === 0) return;
  throw new Error(`the data directory ${directory} is not safe to use\n${problems.join('\n')}`);
}

async function createDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const problem = isFile ? 'it is a file, or a part of its path is one' : message;
    throw new Error(`the data directory ${directory} cannot be created: ${problem}; name another with --data-dir`, {
      cause: error,
    });
  }
}

/**
 * The kubeconfig contains a key, so it is checked like the keys in `pki`. The server writes a new file with the same
 * key, which would hide that others may know the key.
 */
async function kubeconfig(path: string): Promise<Guarded[]> {
  const found = await ifAccessible(stat(path));
  return found === undefined ? [] : [{ path, found, forbidden: othersAccess }];
}

/** Certificate files may be symlinks into a directory of secrets. The owner and the mode of the target are checked. */
function certificates(directory: string): Promise<Guarded[]> {
  return guardedIn(directory, stat, (name) => {
    if (!/\.(crt|key)$/.test(name)) return undefined;
    return name.endsWith('.key') ? othersAccess : othersWrite;
  });
}

/** Symlinks are not followed: two servers could otherwise open one store through different paths. */
function store(directory: string): Promise<Guarded[]> {
  return guardedIn(directory, lstat, (name) => {
    if (!name.startsWith('storage.')) return undefined;
    // The lock file has no content, and SQLite creates it with the umask.
    return name.startsWith('storage.lock') ? othersWrite : othersAccess;
  });
}

/** Returns a directory, and the files in it that have forbidden permissions. */
async function guardedIn(
  directory: string,
  readStats: (path: string) => Promise<Stats>,
  forbiddenOf: (name: string) => number | undefined,
): Promise<Guarded[]> {
  const found = await ifAccessible(readStats(directory));
  if (found === undefined) return [];
  const names = found.isDirectory() ? ((await ifAccessible(readdir(directory))) ?? []) : [];
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const forbidden = forbiddenOf(name);
      const file = forbidden === undefined ? undefined : await ifAccessible(readStats(path));
      return file === undefined ? [] : [{ path, found: file, forbidden: forbidden! }];
    }),
  );
  return [{ path: directory, found, forbidden: othersWrite }, ...files.flat()];
}

/**
 * Files must belong to the user or to root, because an owner can change the mode at any time. One command fixes all of
 * them: often all files belong to the user who ran the server before.
 */
function ownerProblems(guarded: readonly Guarded[], user: number): string[] {
  const byOwner = Map.groupBy(guarded, ({ found }) => found.uid);
  return [...byOwner]
    .filter(([owner]) => owner !== user && owner !== 0)
    .map(([owner, owned]) => {
      const paths = owned.map(({ path }) => path);
      const subject = paths.length === 1 ? `${paths[0]} belongs` : `${paths[0]} and ${paths.length - 1} more belong`;
      const command = `chown ${user} ${paths.map(quoted).join(' ')}`;
      return `${subject} to user ${owner}, but this process runs as user ${user}: run ${command}`;
    });
}

function modeProblems({ path, found: { mode }, forbidden }: Guarded): string[] {
  if ((mode & forbidden) === 0) return [];
  return forbidden === othersAccess
    ? [`${path} can be read or written by others: run chmod 600 ${quoted(path)}`]
    : [`${path} can be written by others: run chmod go-w ${quoted(path)}`];
}

async function linkProblem({ path }: Guarded): Promise<string> {
  const target = resolve(path, '..', await readlink(path));
  return `${path} is a symbolic link: run rm ${quoted(path)} && mv ${quoted(target)} ${quoted(path)}`;
}

async function ifAccessible<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // ENOENT: another server may be creating or removing files. The lock of the store is taken later. EACCES: the file
    // is in a directory of another user, which is reported separately, or this process is about to fail anyway.
    if (['ENOENT', 'EACCES'].includes(code)) return undefined;
    throw error;
  }
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
