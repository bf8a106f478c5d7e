import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import type { AdmissionOperation, AdmissionRequest } from './admission-request.ts';

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

/** Which requests a plugin is asked about. */
export interface AdmissionRule {
  readonly operations: readonly AdmissionOperation[];
  /**
   * As `group/resource` (`/pods` in the core group), with a subresource behind another slash. An asterisk is every resource
   * without its subresources; two of them, with a slash between, are every resource with all of its subresources.
   */
  readonly resources: readonly string[];
}

/**
 * One policy. Both methods fail with a StatusError when the request is refused. Neither may trust the shape of an object:
 * `mutate` comes before validation, and stored objects are as old rules left them. Lists and structs can be missing or null.
 */
export interface AdmissionPlugin {
  /** As kube-apiserver names it. */
  readonly name: string;
  /** It is asked when any of them matches. */
  readonly rules: readonly AdmissionRule[];
  /** Completes the object, before it is prepared and validated. */
  readonly mutate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
  /** Looks at what is about to be stored. */
  readonly validate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
}
