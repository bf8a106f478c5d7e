import type { StructShape } from '../merge/managed-fields/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * The target of a request, in the terms of an AdmissionReview. It is the same for all requests to one endpoint, until
 * the type is served in other versions.
 */
export interface AdmissionTarget {
  /** The kind of `object`: that of the subresource if it has one, such as `Scale`. */
  readonly kind: GroupVersionKind;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** Reads and converts objects of this kind. */
  readonly objects: AdmittedKind;
}

/** The kind of an endpoint, for plugins that replace objects or need them in another version. */
export interface AdmittedKind {
  /**
   * Reads an object that was changed outside of the server, like the body of a request: with defaults, and without
   * unknown fields, which are errors if `strict`. Throws a DecodeError or a BoundsError.
   */
  decode(value: unknown, options?: { readonly strict?: boolean }): ResourceObject;
  /** How server-side apply merges objects of this kind. */
  shape(): StructShape;
  /** The same objects in the versions through which they are served, including this one. */
  equivalents(): readonly AdmissionTarget[];
  /** Returns a copy in the version of another one of the equivalents. Rejects with a StatusError. */
  convert(object: ResourceObject, to: AdmissionTarget): MaybePromise<ResourceObject>;
}

/** The options of a request as the client stated them, without kind and apiVersion. */
export type RequestOptions = Readonly<Record<string, unknown>>;

/** The parts of a request that only admission needs. */
export interface AdmissionContext {
  readonly options: RequestOptions;
  /**
   * Adds an annotation to the audit event of the request. The first value of a key is kept. `showsObject`: the value
   * contains parts of the object, so it is omitted where the object itself is.
   */
  readonly annotate: (key: string, value: string, about?: { readonly showsObject?: boolean }) => void;
  /** When the request times out, in milliseconds of `performance.now()`. Undefined when it does not. */
  readonly deadline?: number | undefined;
  /** Receives the time for which the request waited for webhooks, in milliseconds. */
  readonly waited?: ((ms: number) => void) | undefined;
  /** The `traceparent` header for webhooks. Undefined without tracing. */
  readonly traceParent?: (() => string) | undefined;
  /** Set when the caller may see what admission does. */
  readonly explain?: ((step: AdmissionStep) => void) | undefined;
}

/** One step of admission that changed or rejected something. */
export interface AdmissionStep {
  /** The name of the plugin. */
  readonly plugin: string;
  /** The name of the webhook, or of the policy and its binding. */
  readonly source?: string;
  readonly phase: 'mutate' | 'validate';
  /** The changes as a JSON patch. */
  readonly patch?: readonly object[];
  /** The message of the rejection. */
  readonly denied?: string;
}

type EndpointNames = Pick<AdmissionTarget, 'kind' | 'resource' | 'subresource'>;

export interface AdmissionRequest extends EndpointNames, AdmissionContext {
  /** The endpoint. The same object for all requests to it, so that plugins can cache by it. */
  readonly target: AdmissionTarget;
  readonly operation: AdmissionOperation;
  /** Empty for cluster-scoped types. For a Namespace it is its name. */
  readonly namespace: string;
  /** Empty before the name is generated. */
  readonly name: string;
  /**
   * The object to be stored. `mutate` may change it, `validate` must not. For a deletion the same as `oldObject`. For
   * CONNECT the options of the subresource.
   */
  readonly object: ResourceObject;
  /** Undefined for a new object and for CONNECT. Must not be changed. */
  readonly oldObject: ResourceObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}
