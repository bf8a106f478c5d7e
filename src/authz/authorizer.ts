import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';

/** What somebody wants to do, on a resource or on a path that is none. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create`, ... */
  readonly verb: string;
  readonly resource: RequestedResource;
  readonly path?: undefined;
  /** What a collection is narrowed down to. Read from the request only when an authorizer asks. */
  readonly selectors?: () => RequestedSelectors;
}

/** Both are absent where the request has none, or one that cannot be read. */
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

/** Every part but `resource` and `version` may be empty. */
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
  /** For the audit log and, when the request is refused, for the caller. May be empty. */
  readonly reason: string;
  /** What went wrong on the way to the decision. Without an `allow` it is the answer: nobody knows whether it would be one. */
  readonly error?: Error;
}

/** One source of permissions. */
export interface Authorizer {
  /**
   * `deny` ends the search, `no-opinion` leaves the word to the next authorizer. Has no side effects, so that an answer may
   * be kept. Answers at once where it can.
   */
  authorize(attributes: Attributes): MaybePromise<Decision>;
}

export const noOpinion: Decision = { decision: 'no-opinion', reason: '' };
