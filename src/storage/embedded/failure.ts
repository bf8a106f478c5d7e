import Database from 'better-sqlite3';
import { StorageError, type StorageErrorCode } from '../storage.ts';
import type { Failure } from './protocol.ts';

/** Worker side: maps an error to the error codes of the `Storage` interface. */
export function toFailure(error: unknown): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return {
    code: codeOf(error),
    message: isDiskFailure(error) ? `the disk of the store has failed: ${messageOf(error)}` : messageOf(error),
    cause: {
      name: cause instanceof Error ? cause.name : 'Error',
      message: messageOf(cause),
      code: cause instanceof Error && 'code' in cause ? String(cause.code) : undefined,
    },
  };
}

function codeOf(error: unknown): StorageErrorCode {
  if (error instanceof StorageError) return error.code;
  if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return 'Corrupt';
  return 'Unavailable';
}

function isDiskFailure(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_IOERR');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
