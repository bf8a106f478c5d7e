import type { AdmissionTarget } from '../admission/index.ts';
import type { EncodingName } from '../codec/media-types.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Status } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { WatchEvent } from './watch-event.ts';

/** One served resource type: an explicit record of what can be done with it and its subresources. */
export interface Resource {
  readonly definition: ResourceDefinition;
  readonly verbs: Verbs;
  readonly subresources: ReadonlyMap<string, Verbs>;
}

/** An absent verb is not supported. All of them fail with a StatusError. */
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
  /** Of the query; empty when absent. */
  readonly resourceVersion?: string;
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
  /** Only watches may ask for this; undefined when absent. */
  readonly sendInitialEvents?: boolean | undefined;
}

/** The parts of a list answer. */
export interface ObjectList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
  /** How many items there are. */
  readonly count: number;
  /** About what their documents take together. */
  readonly bytes: number;
  /** The documents of the items in groups, made when they are asked for. Can be called again. */
  readonly documents: () => Iterable<readonly Buffer[]>;
  /**
   * The items in groups, made one after the other when they are sent: each group is some items, without kind and apiVersion
   * where the type has them so, with a comma before every one. A group is made in the room given or shared with others; it
   * may be used until the next one is asked for, or for as long as the room is not given again.
   */
  readonly items: (room: (size: number) => Buffer) => Iterable<Buffer>;
}

export interface WatchRequest extends Selection {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly continueToken: string;
  /** The caller can do without objects that are stored and cannot be read. */
  readonly skipCorrupt?: boolean;
  /** The request is in order but has to wait for its version: the stream may be opened already. */
  readonly onWait: () => void;
  /** What comes after the backlog; it may come while that is still being read. */
  readonly onEvent: (event: WatchEvent) => void;
  /** The stream cannot go on. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** A watch that has begun. */
export interface WatchStream {
  /** What came before the first event for `onEvent`, made when it is asked for. Reading it fails with a StatusError. */
  readonly backlog: Iterable<readonly WatchEvent[]> | AsyncIterable<readonly WatchEvent[]>;
  /** The version of the state that the backlog shows; undefined when the watch began after a version. */
  readonly initialVersion: string | undefined;
  /** Everything up to this version has been in the backlog or handed over; undefined while nothing can be promised. */
  readonly progress: () => string | undefined;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly namespace: string;
  readonly body: Buffer;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Who is to own what is written. */
  readonly fieldManager: string;
  readonly user: UserInfo;
  /** Becomes a `Warning` header. */
  readonly warn: (text: string) => void;
}

export interface CreateRequest extends WriteOptions {
  readonly encoding: EncodingName;
  /** Set for creates below an item; empty otherwise. */
  readonly name: string;
  /** How the endpoint is named to the admission plugins, where it is another door to this one. */
  readonly admissionTarget?: AdmissionTarget;
}

export interface UpdateRequest extends WriteOptions {
  readonly encoding: EncodingName;
  readonly name: string;
  /** Called before an absent object is created. */
  readonly authorizeCreate: () => MaybePromise<void>;
}

export interface PatchRequest extends WriteOptions {
  readonly name: string;
  readonly patchType: PatchType;
}

export type PatchType = 'json' | 'merge' | 'strategic';

/** A configuration to be merged. */
export interface ApplyRequest extends WriteOptions {
  readonly name: string;
  readonly encoding: EncodingName;
  readonly force: boolean;
  /** Called before an absent object is created. */
  readonly authorizeCreate: () => MaybePromise<void>;
}

export interface WriteResult {
  readonly bytes: Buffer;
  readonly created: boolean;
}

/** What is only an action has nothing to show for it. */
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
  /** Undefined when there are none at all, which is not the same as none that says anything. */
  readonly preconditions: Preconditions | undefined;
  /** The object is deleted although it cannot be read, and only then. */
  readonly ignoreReadErrors?: boolean;
}

export interface DeleteRequest extends ItemRequest {
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
  /** It is the consequence of a request about which the admission plugins have been asked, such as an eviction. */
  readonly isAdmitted?: boolean;
}

export type DeleteResult = { readonly object: Buffer; readonly removed: boolean } | { readonly status: Status };

export interface DeleteCollectionRequest extends ListRequest {
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly warn: (text: string) => void;
}
