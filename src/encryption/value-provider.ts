import type { MaybePromise } from '../meta/maybe-promise.ts';

/** Reads and writes values in one encrypted form. `key` is the storage key of the value. */
export interface ValueProvider {
  /** Returns the stored value in pieces. Throws a StorageError of code `Unavailable` when no key is available. */
  seal(value: Buffer, key: string): Buffer[];
  /**
   * Returns the original value. Throws or rejects with an `UnreadableValueError` when that is not possible, and with a
   * StorageError of code `Unavailable` when it may be possible later.
   */
  open(sealed: Buffer, key: string): MaybePromise<OpenedValue>;
}

export interface OpenedValue {
  readonly value: Buffer;
  /** Whether the value is in another form than the one in which it would be written now. */
  readonly stale: boolean;
}

/** Why a stored value cannot be decrypted. Its message contains no part of the value. */
export class UnreadableValueError extends Error {}
