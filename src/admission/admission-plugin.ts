import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Empty for cluster-scoped types. */
  readonly namespace: string;
  /** Empty while it is not made yet. */
  readonly name: string;
  /** As it would be stored; the last state for a deletion. `mutate` may change it, `validate` must not. */
  readonly object: ResourceObject;
  /** Undefined for a new object. */
  readonly stored: ResourceObject | undefined;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** Reads other objects as they are now. They are shared and must not be changed. */
export interface ObjectReader {
  get(
    type: StoredType,
    item: { readonly namespace: string; readonly name: string },
  ): MaybePromise<ResourceObject | undefined>;
  /** Those of one namespace, or all when it is empty. */
  list(type: StoredType, namespace: string): MaybePromise<ResourceObject[]>;
}

export interface StoredType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** One policy. Both methods fail with a StatusError when the request is refused. */
export interface AdmissionPlugin {
  /** As kube-apiserver names it. */
  readonly name: string;
  /** Resources as `group/resource` (`/pods` in the core group), with a subresource behind another slash. */
  readonly resources: readonly string[];
  /** Completes the object, before it is prepared and validated. */
  readonly mutate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
  /** Looks at what is about to be stored. */
  readonly validate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
}
