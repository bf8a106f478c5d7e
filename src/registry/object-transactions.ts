import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';

export interface TransactionOptions {
  /** Everything is checked and shown as it would be, and nothing is kept. */
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** Called once when it is known whether the object has been stored; what was taken for it is given back if not. */
export type FinishTransaction = (outcome: { readonly stored: boolean }) => MaybePromise<void>;

/**
 * What a type has to take elsewhere before its object may be stored, such as an address. It is taken before the object is
 * validated, which sees what was filled in. Every method fails with a StatusError, and has then taken nothing.
 */
export interface ObjectTransactions {
  /** May complete the new object. */
  beginCreate(object: ResourceObject, options: TransactionOptions): MaybePromise<FinishTransaction>;
  /** May complete `next`. Called again, after the one before was finished, when another writer was faster. */
  beginUpdate(
    change: { readonly next: ResourceObject; readonly stored: ResourceObject },
    options: TransactionOptions,
  ): MaybePromise<FinishTransaction>;
  /** The object is gone from storage. */
  afterDelete(object: ResourceObject): MaybePromise<void>;
  /** An object is gone of which nothing but the name was known. */
  afterUnreadableDelete(item: { readonly namespace: string; readonly name: string }): MaybePromise<void>;
}
