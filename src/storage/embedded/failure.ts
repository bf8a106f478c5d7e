import { fileFailure } from '../file-failure.ts';
import { StorageError } from '../storage.ts';
import type { Failure } from './protocol.ts';

/** Worker side: maps an error to the error codes of the `Storage` interface. `file` is the database. */
export function toFailure(error: unknown, file: string): Failure {
  const failure = fileFailure(error, file);
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  return {
    code: failure instanceof StorageError ? failure.code : 'Unavailable',
    message: messageOf(failure),
    cause: {
      name: cause instanceof Error ? cause.name : 'Error',
      message: messageOf(cause),
      code: cause instanceof Error && 'code' in cause ? String(cause.code) : undefined,
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
