import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import type { AdmissionOperation, AdmissionRequest, AdmissionTarget } from './admission-request.ts';
import type { FollowOptions, ObjectSource } from './object-source.ts';

/** Updates objects that count the usage of others. */
export interface ObjectUpdater {
  /**
   * `change` gets a copy of the current object, and is called again after a conflict. Its result is stored. Nothing is
   * stored when it returns undefined or throws, or when the object does not exist. Exceptions are propagated.
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
  /**
   * Whether the plugin applies to such a request at present, if that depends on objects. Called for every request that
   * a rule matches, so it must be cheap. Default: always.
   */
  readonly handles?: (operation: AdmissionOperation, target: AdmissionTarget) => boolean;
  /** Whether the plugin itself reports what it changes and rejects to `explain`, with the source of each step. */
  readonly explainsItself?: boolean;
  /**
   * Follows the objects that configure the plugin. Called once, before the first request. Resolves when the existing
   * objects are loaded.
   */
  readonly follow?: (objects: ObjectSource, options: FollowOptions) => Promise<unknown>;
  /** Changes the object before it is prepared and validated, or returns another one that takes its place. */
  readonly mutate?: (request: AdmissionRequest, objects: ObjectReader, pass: MutationPass) => MaybePromise<Mutated>;
  /** Checks the object that is about to be stored. */
  readonly validate?: (request: AdmissionRequest, objects: ObjectReader) => MaybePromise<void>;
}

/** The object that takes the place of the one in the request, if there is one. */
// biome-ignore lint/suspicious/noConfusingVoidType: most plugins change the object in place and return nothing.
export type Mutated = ResourceObject | undefined | void;

/**
 * The mutation phase of one request. It runs a second time when a plugin requests it, so that plugins can react to
 * changes by later ones.
 */
export interface MutationPass {
  readonly isReinvocation: boolean;
  /** Requests a second run of all plugins. Has no effect in the second one. */
  reinvoke(): void;
  /** State that plugins keep from the first run for the second one, by plugin name. */
  readonly memory: Map<string, unknown>;
}
