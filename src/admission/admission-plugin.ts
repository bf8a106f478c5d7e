import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import type { AdmissionOperation, AdmissionRequest } from './admission-request.ts';

/** Updates objects that count the usage of others. */
export interface ObjectUpdater {
  /**
   * `change` gets a copy of the current object, and is called again when another writer was faster. Its result is
   * stored. Nothing is stored when it returns undefined or throws, or when the object does not exist. Exceptions are
   * passed on.
   */
  update(
    type: StoredType,
    item: { readonly namespace: string; readonly name: string },
    change: (object: ResourceObject) => ResourceObject | undefined,
  ): Promise<unknown>;
}

/** The requests that a plugin applies to. */
export interface AdmissionRule {
  readonly operations: readonly AdmissionOperation[];
  /**
   * `group/resource` (`/pods` in the core group), optionally followed by `/` and a subresource. One asterisk
   * matches every resource without its subresources. Two, with a slash between, match every resource with all of its
   * subresources.
   */
  readonly resources: readonly string[];
}

/**
 * One policy. Both methods fail with a StatusError to reject the request. Neither may rely on the shape of an object:
 * `mutate` runs before validation, and stored objects may predate current rules. Lists and structs can be missing or
 * null.
 */
export interface AdmissionPlugin {
  /** The name in kube-apiserver. */
  readonly name: string;
  /** The plugin applies when any of them matches. */
  readonly rules: readonly AdmissionRule[];
  /** Changes the object before it is prepared and validated. */
  readonly mutate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
  /** Checks the object that is about to be stored. */
  readonly validate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
}
