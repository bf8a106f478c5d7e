import type { UserInfo } from '../authn/user.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';

/** What somebody wants to do, on a resource or on a path that is none. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create`, ... */
  readonly verb: string;
  readonly resource: RequestedResource;
  readonly path?: undefined;
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
