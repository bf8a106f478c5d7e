import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';

export interface TransactionOptions {
  /** Whether to perform all checks and compute the result without reserving anything. */
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** Called once. `committed` states whether the object was stored. If it was not, the reservation is released. */
export type FinishTransaction = (outcome: { readonly committed: boolean }) => MaybePromise<void>;

/**
 * Reservations that a type needs before an object is stored, such as an address. They are made before validation, so
 * that the object is validated with the assigned values. Every method fails with a StatusError, and then has reserved
 * nothing.
 */
export interface ObjectTransactions {
  /** May complete the new object. */
  beginCreate(object: ResourceObject, options: TransactionOptions): MaybePromise<FinishTransaction>;
  /**
   * May complete `next`. Called again, after the previous transaction has finished, when another writer has changed the
   * object.
   */
  beginUpdate(
    change: { readonly next: ResourceObject; readonly oldObject: ResourceObject },
    options: TransactionOptions,
  ): MaybePromise<FinishTransaction>;
  /** Called when the object has been removed from storage. */
  afterDelete(object: ResourceObject): MaybePromise<void>;
  /**
   * Called when objects were written directly to storage. State derived from them must be reloaded. Absent: no such
   * state.
   */
  storeChanged?(): void;
  /** Called when an unreadable object, of which only the name is known, has been removed. */
  afterUnreadableDelete(item: { readonly namespace: string; readonly name: string }): MaybePromise<void>;
}
