import type { AdmissionContext, AdmissionTarget } from '../admission/index.ts';
import type { EncodingName } from '../codec/media-types.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Status } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { WatchEvent } from './watch-event.ts';

/** One served resource type: its verbs and those of its subresources. */
export interface Resource {
  readonly definition: ResourceDefinition;
  readonly verbs: Verbs;
  readonly subresources: ReadonlyMap<string, Verbs>;
}

/** An absent verb is not supported. All verbs fail with a StatusError. */
export interface Verbs {
  readonly get?: (request: ItemRequest) => MaybePromise<Buffer>;
  readonly list?: (request: ListRequest) => MaybePromise<ObjectList>;
  /** Resolves when the stream is established. The signal of the request ends it. */
  readonly watch?: (request: WatchRequest) => Promise<WatchStream>;
  readonly create?: (request: CreateRequest) => Promise<CreateResult>;
  readonly update?: (request: UpdateRequest) => Promise<WriteResult>;
  readonly patch?: (request: PatchRequest) => Promise<WriteResult>;
  /** Server-side apply. */
  readonly apply?: (request: ApplyRequest) => Promise<WriteResult>;
  readonly delete?: (request: DeleteRequest) => Promise<DeleteResult>;
  readonly deletecollection?: (request: DeleteCollectionRequest) => Promise<ObjectList>;
}

export interface ItemRequest {
  /** Empty for cluster-scoped types. */
  readonly namespace: string;
  readonly name: string;
  /** The query parameter. Empty when absent. */
  readonly resourceVersion?: string;
  /** A past revision to read instead of the current one, for injected faults. */
  readonly pastRevision?: number;
}

export interface Selection {
  /** Empty for cluster-scoped types and for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

export interface ListRequest extends Selection {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  /** Only allowed for watches. Undefined when absent. */
  readonly sendInitialEvents?: boolean | undefined;
}

/** The content of a list response. */
/** Documents that follow each other in a list. */
export interface DocumentGroup {
  /** Identifies the group for as long as its documents do not change. Undefined if no other list has the same group. */
  readonly identity: object | undefined;
  readonly documents: () => readonly Buffer[];
}

export interface ObjectList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  /** Of a complete list: empty, or undefined where the field is absent. */
  readonly continueToken: string | undefined;
  readonly remainingItemCount: number | undefined;
  /** The number of items. */
  readonly count: number;
  /** The approximate total size of their documents. */
  readonly bytes: number;
  /** The documents of the items in groups, created lazily. Can be called repeatedly. */
  readonly documents: () => Iterable<DocumentGroup>;
  /**
   * The items in groups, created lazily while they are sent. Each group is a number of items, without kind and
   * apiVersion where the type omits them, and with a comma before every item. A group is written into an allocated
   * buffer, or shared. It is valid until the next one is requested, or until the buffer is reused.
   */
  readonly items: (allocate: (size: number) => Buffer) => Iterable<Buffer>;
}

export interface WatchRequest extends Selection {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly continueToken: string;
  /** Whether to skip stored objects that cannot be read. */
  readonly skipCorrupt?: boolean;
  /**
   * Whether events may be delivered after their changes are visible to readers. `progress` of the stream then delivers
   * all of them.
   */
  readonly inTurns?: boolean;
  /** Called when the request is valid but has to wait for its version. The stream may be opened already. */
  readonly onWait: () => void;
  /** Receives the events after the backlog, possibly while the backlog is still being read. */
  readonly onEvent: (event: WatchEvent) => void;
  /** Called when the stream fails. */
  readonly onError: (error: Error) => void;
  /** Called when the type is no longer served, or its definition has changed. */
  readonly onEnd: () => void;
  readonly signal: AbortSignal;
}

/** An established watch. */
export interface WatchStream {
  /** The events before the first one for `onEvent`, created lazily. Reading fails with a StatusError. */
  readonly backlog: Iterable<readonly WatchEvent[]> | AsyncIterable<readonly WatchEvent[]>;
  /** The version of the state that the backlog shows. Undefined when the watch starts after a version. */
  readonly initialVersion: string | undefined;
  /** The version up to which everything was in the backlog or passed to `onEvent`. Undefined while unknown. */
  readonly progress: () => string | undefined;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly namespace: string;
  readonly body: Buffer;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The owner of the written fields. */
  readonly fieldManager: string;
  readonly user: UserInfo;
  /** Adds a `Warning` header. */
  readonly warn: (text: string) => void;
  readonly admissionContext?: AdmissionContext;
}

export interface CreateRequest extends WriteOptions {
  readonly encoding: EncodingName;
  /** Set for creates of subresources. Empty otherwise. */
  readonly name: string;
  /** Describes the endpoint to the admission plugins, if it is another one that delegates to this verb. */
  readonly admissionTarget?: AdmissionTarget;
}

export interface UpdateRequest extends WriteOptions {
  readonly encoding: EncodingName;
  readonly name: string;
  /** Called before an absent object is created. Throws without the permission. */
  readonly authorizeCreate: () => MaybePromise<void>;
}

export interface PatchRequest extends WriteOptions {
  readonly name: string;
  readonly patchType: PatchType;
}

export type PatchType = 'json' | 'merge' | 'strategic';

/** A configuration to apply. */
export interface ApplyRequest extends WriteOptions {
  readonly name: string;
  readonly encoding: EncodingName;
  readonly force: boolean;
  /** Called before an absent object is created. Throws without the permission. */
  readonly authorizeCreate: () => MaybePromise<void>;
}

export interface WriteResult {
  readonly bytes: Buffer;
  readonly created: boolean;
}

/** Actions return a Status instead of an object. It gets the code of the response. */
export type CreateResult = WriteResult | { readonly status: Status };

export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  /** Undefined without preconditions, which differs from empty ones. */
  readonly preconditions: Preconditions | undefined;
  /** Delete the object if, and only if, it cannot be read. */
  readonly ignoreReadErrors?: boolean;
}

export interface DeleteRequest extends ItemRequest {
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
  readonly admissionContext?: AdmissionContext;
  /** Whether admission has already happened, for the request that caused this one, such as an eviction. */
  readonly isAdmitted?: boolean;
  /** Whether the client deletes the collection, so that it has named no object. */
  readonly isOfCollection?: boolean;
}

export type DeleteResult = { readonly object: Buffer; readonly removed: boolean } | { readonly status: Status };

export interface DeleteCollectionRequest extends ListRequest {
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
  readonly admissionContext?: AdmissionContext;
}
