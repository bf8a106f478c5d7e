import type { MaybePromise } from './maybe-promise.ts';
import type { ResourceObject } from './object.ts';

/** Reads other objects as they are now. They are shared and must not be changed. */
export interface ObjectReader {
  get(
    type: StoredType,
    item: { readonly namespace: string; readonly name: string },
  ): MaybePromise<ResourceObject | undefined>;
  /** Those of one namespace, or all when it is empty, without those that are stored and cannot be read. */
  list(type: StoredType, namespace: string): MaybePromise<ResourceObject[]>;
}

/** A type in one of its served versions. */
export interface StoredType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}
