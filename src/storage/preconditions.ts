import { type Change, StorageError } from './storage.ts';

// Preconditions for which every backend must use the same error message and code.

/** Throws `RevisionCompacted` when the history at the revision has been removed. */
export function checkNotCompacted(revision: number, compacted: number): void {
  if (revision >= compacted) return;
  throw new StorageError('RevisionCompacted', `revision ${revision} is older than the compacted revision ${compacted}`);
}

/** Throws `RevisionInFuture` when the revision has not been reached. */
export function checkNotFuture(revision: number, latest: number): void {
  if (revision <= latest) return;
  throw new StorageError('RevisionInFuture', `revision ${revision} is newer than the latest revision ${latest}`);
}

/** Throws `TooLarge` when the value of the change has more bytes than the limit. */
export function checkSize({ key, value }: Pick<Change, 'key' | 'value'>, limit: number): void {
  if (value === undefined || value.length <= limit) return;
  throw new StorageError('TooLarge', `the value of ${key} has ${value.length} bytes, more than the limit of ${limit}`);
}

export function closedError(): StorageError {
  return new StorageError('Closed', 'the storage is closed');
}
