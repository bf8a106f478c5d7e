import type { MaybePromise } from './maybe-promise.ts';
import type { ResourceObject } from './object.ts';

/** Reads the current state of other objects. The returned objects are shared and must not be modified. */
export interface ObjectReader {
  get(
    type: StoredType,
    item: { readonly namespace: string; readonly name: string },
  ): MaybePromise<ResourceObject | undefined>;
  /** Lists one namespace, or all namespaces when `namespace` is empty. Skips stored objects that cannot be decoded. */
  list(type: StoredType, namespace: string): MaybePromise<readonly ResourceObject[]>;
  /**
   * A consistent read, which includes all writes of all servers of a store, if this reader may lag. Absent if it never
   * lags.
   */
  readonly current?: ObjectReader;
}

/** A resource type in one of its served versions. */
export interface StoredType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}
