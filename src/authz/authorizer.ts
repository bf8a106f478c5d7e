import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';

/** The action to authorize, on a resource or on a non-resource path. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create`, ... */
  readonly verb: string;
  readonly resource: RequestedResource;
  readonly path?: undefined;
  /** The selectors of a collection request. Parsed only when an authorizer needs them. */
  readonly selectors?: () => RequestedSelectors;
}

/** A selector is absent when the request has none or it is malformed. */
export interface RequestedSelectors {
  readonly fieldSelector?: readonly SelectorRequirement[];
  readonly labelSelector?: readonly SelectorRequirement[];
}

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export interface PathAttributes {
  readonly user: UserInfo;
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly resource?: undefined;
  readonly path: string;
}

/** All fields except `resource` and `version` may be empty. */
export interface RequestedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Decision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** For the audit log and, when the request is refused, for the client. May be empty. */
  readonly reason: string;
  /**
   * An error that prevented a decision. Unless another authorizer allows the request, the response reports the error.
   */
  readonly error?: Error;
}

/** One source of permissions. */
export interface Authorizer {
  /**
   * `deny` is final, `no-opinion` passes the request on to the next authorizer. Has no side effects, so that decisions
   * can be cached. Synchronous where possible.
   */
  authorize(attributes: Attributes): MaybePromise<Decision>;
}

export const allowed: Decision = { decision: 'allow', reason: '' };
export const noOpinion: Decision = { decision: 'no-opinion', reason: '' };

/** Creates the decision of an authorizer that does not allow a request. A later authorizer may still allow it. */
export function notAllowed(reason: string): Decision {
  return { decision: 'no-opinion', reason };
}
