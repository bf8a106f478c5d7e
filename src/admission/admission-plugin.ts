import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import type { UserInfo } from '../meta/user.ts';

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
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** Changes objects that count what others take. */
export interface ObjectUpdater {
  /**
   * `change` gets a copy of the object as it is now, and again when another writer was faster. What it returns is stored;
   * with undefined, or when there is no such object, nothing is. What it throws is thrown, and then nothing is stored.
   */
  update(
    type: StoredType,
    item: { readonly namespace: string; readonly name: string },
    change: (object: ResourceObject) => ResourceObject | undefined,
  ): Promise<unknown>;
}

/** One policy. Both methods fail with a StatusError when the request is refused. */
export interface AdmissionPlugin {
  /** As kube-apiserver names it. */
  readonly name: string;
  /**
   * Resources as `group/resource` (`/pods` in the core group), with a subresource behind another slash. `*` is every
   * resource, when an object of it is made; of changes a plugin is sure to hear only where it names the resource.
   */
  readonly resources: readonly string[];
  /** It is also asked before objects of the resources that it names are deleted. Most have nothing to say then. */
  readonly admitsDeletes?: boolean;
  /** Completes the object, before it is prepared and validated. */
  readonly mutate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
  /** Looks at what is about to be stored. */
  readonly validate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
}
