import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';
import type { StoredObjects } from './stored-objects.ts';

/** The fields of every object. Kind and apiVersion need not be set: the server adds them. */
export interface BackendObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: BackendMeta;
}

/** The metadata that the server reads. Objects may have any other field of `ObjectMeta`. */
export interface BackendMeta {
  readonly name?: string;
  /** Required for namespaced types. */
  readonly namespace?: string;
  /** Changes with every change of the object: a decimal number. Leave it out when there is none. */
  readonly resourceVersion?: string;
}

/** The request for which a function of a backend is called. */
export interface BackendRequest {
  /** Undefined when the server itself reads a backend that has `watch`. */
  readonly user: UserInfo | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ListRequest extends BackendRequest {
  /** Empty: all namespaces, or a type without namespaces. */
  readonly namespace: string;
}

export interface ItemRequest extends ListRequest {
  readonly name: string;
}

export interface CreateRequest<T> extends ItemRequest {
  /** The new object. It is valid and has defaults, a uid and a creation time. */
  readonly object: T;
}

export interface UpdateRequest<T> extends ItemRequest {
  /** The new object. It is valid and has the resourceVersion of `oldObject`. */
  readonly object: T;
  readonly oldObject: T;
}

export interface DeleteRequest<T> extends ItemRequest {
  /** The last known state. */
  readonly object: T;
}

/** All objects, in any order. `resourceVersion` is the version of the whole list, if there is one. */
export type Listing<T> = readonly T[] | { readonly items: readonly T[]; readonly resourceVersion?: string };

export interface BackendEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** For DELETED, the last state. Its name and namespace are enough. */
  readonly object: T;
}

/**
 * The source of the objects of a type. The functions determine the verbs of the type: `update` also gives `patch`, and
 * `delete` also gives `deletecollection`.
 *
 * The server does the rest: selectors, pages, Tables and other representations, defaults, validation, field ownership
 * and server-side apply, finalizers, dry run. It calls the functions that write for one object at a time, but others
 * may write to the backend meanwhile. A function fails with a `StatusError`; any other error becomes a 500.
 */
export interface Backend<T extends BackendObject> {
  list(request: ListRequest): MaybePromise<Listing<T>>;
  /**
   * Returns undefined when the object does not exist. Without this function, the server searches the result of `list`.
   */
  get?(request: ItemRequest): MaybePromise<T | undefined>;
  /**
   * Makes the type watchable. The server then calls `list` and `watch` once for all clients, keeps the objects in
   * memory and assigns their versions itself. Yields the changes since the call, in order. When it ends or fails, the
   * server lists and watches again.
   */
  watch?(request: BackendRequest): AsyncIterable<BackendEvent<T>>;
  /** Resolves with the stored object if it differs from that of the request. Fails with `alreadyExists`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result
  create?(request: CreateRequest<T>): MaybePromise<T | void>;
  /** Like `create`. Must fail with `conflict` when the stored version differs. The server then retries the write. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result
  update?(request: UpdateRequest<T>): MaybePromise<T | void>;
  delete?(request: DeleteRequest<T>): MaybePromise<void>;
}

/** A column of a Table, as in a CustomResourceDefinition. */
export interface ResourceColumn {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /** Such as `.spec.replicas`. */
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  /** Columns above 0 are shown in wide output only. */
  readonly priority?: number;
}

/** A served type. */
export interface ExtensionResource<T extends BackendObject> {
  readonly kind: string;
  /** The name in paths, such as `deployments`. */
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default: the kind with the suffix `List`. */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: true. */
  readonly namespaced?: boolean;
  /** A structural schema, as in a CustomResourceDefinition. Without one, objects may have any fields. */
  readonly schema?: JsonSchema;
  /** Default: name and age. */
  readonly columns?: readonly ResourceColumn[];
  /** The fields that field selectors can use besides name and namespace, such as `.spec.colour`. */
  readonly selectableFields?: readonly string[];
  readonly subresources?: ExtensionSubresources;
  readonly backend: Backend<T> | StoredObjects;
}

export interface ExtensionSubresources {
  /** Whether `status` is written through a separate path. */
  readonly status?: boolean;
  /** The paths of the fields that `scale` shows, such as `.spec.replicas`. */
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

/** A type whose objects are not known at compile time. */
// biome-ignore lint/suspicious/noExplicitAny: resources of different types are in one list
export type AnyResource = ExtensionResource<any>;

/** Gives the functions of a backend the type of its objects. */
export function defineResource<T extends BackendObject>(resource: ExtensionResource<T>): ExtensionResource<T> {
  return resource;
}
