import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError, type StorageErrorCode } from './storage.ts';

interface Explanation {
  /** Matches the code of SQLite, or of the operating system. */
  readonly code: RegExp;
  readonly kind: StorageErrorCode;
  readonly problem: (paths: FailedPath) => string;
  readonly remedy: (paths: FailedPath) => string;
}

interface FailedPath {
  readonly file: string;
  readonly directory: string;
}

/** The first one that matches is used. */
const explanations: readonly Explanation[] = [
  {
    // SQLite reports SQLITE_ERROR when tables are missing or exist already, because the header or the schema is damaged.
    code: /^SQLITE_(CORRUPT|NOTADB|ERROR$|SCHEMA|CONSTRAINT|MISMATCH|FORMAT)/,
    kind: 'Corrupt',
    problem: ({ file }) => `${file} is damaged`,
    remedy: ({ directory }) =>
      `Stop the server, keep a copy of ${directory}, and run keelson verify, which says what is damaged and what to do`,
  },
  {
    code: /^(SQLITE_FULL|ENOSPC|EDQUOT)$/,
    kind: 'Unavailable',
    problem: ({ file, directory }) => `${file} cannot grow: the disk of ${directory} is full, or a limit is reached`,
    remedy: ({ directory }) => `Free space on the disk of ${directory}, or raise the limit. Nothing need be restarted`,
  },
  {
    code: /^(SQLITE_IOERR|EIO$)/,
    kind: 'Unavailable',
    problem: ({ file, directory }) => `${file} cannot be read or written: the disk of ${directory} has failed`,
    remedy: ({ directory }) => `Look for errors of this disk in the log of the kernel, and save a copy of ${directory}`,
  },
  {
    code: /^(SQLITE_READONLY|EROFS$)/,
    kind: 'Unavailable',
    problem: ({ file }) => `${file} cannot be written`,
    remedy: ({ directory }) =>
      `Let the user of the server write to ${directory}, and mount its disk for reading and writing`,
  },
  {
    code: /^(SQLITE_(CANTOPEN|PERM|AUTH)|EACCES$|EPERM$|ENOENT$|ENOTDIR$|EISDIR$)/,
    kind: 'Unavailable',
    problem: ({ file }) => `${file} cannot be opened`,
    remedy: ({ directory }) => `Check that ${directory} exists and belongs to the user who runs this`,
  },
  {
    code: /^(SQLITE_NOMEM|EMFILE$|ENFILE$|ENOMEM$)/,
    kind: 'Unavailable',
    problem: ({ file }) => `${file} cannot be used`,
    remedy: () => 'Raise the limits of memory and of open files of this process',
  },
  {
    code: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    kind: 'Unavailable',
    problem: ({ file }) => `${file} is locked by another program`,
    remedy: ({ directory }) => `End the program that has opened files in ${directory}`,
  },
];

/**
 * Converts an error of SQLite or of the operating system to a `StorageError` that names the file, its directory and
 * the remedy. Returns other errors unchanged.
 */
export function fileFailure(error: unknown, file: string): unknown {
  if (!isFileError(error)) return error;
  const explanation = explanations.find(({ code }) => code.test(error.code));
  // An error of the operating system may concern another file of the directory.
  const path = resolve('path' in error && typeof error.path === 'string' ? error.path : file);
  const paths = { file: path, directory: dirname(path) };
  const { kind, problem, remedy } = explanation ?? {
    kind: 'Unavailable',
    problem: () => `${path} cannot be used`,
    remedy: () => `Check the disk of ${paths.directory}`,
  };
  const message = `${problem(paths)} (${error.code}: ${error.message}). ${remedy(paths)}`;
  return new StorageError(kind, message, { cause: error });
}

function isFileError(error: unknown): error is Error & { readonly code: string } {
  if (error instanceof Database.SqliteError) return true;
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
