import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Peer } from './peer.ts';

/** The parts of a request that can identify its user. */
export interface Credentials {
  readonly connection: Peer;
  /** Returns the value of a request header. The name is in lower case. */
  header(name: string): string | undefined;
  /** All request headers as received, alternating names and values, for headers whose values must stay separate. */
  readonly rawHeaders: readonly string[];
  /** The path of the request, percent-decoded. */
  readonly path: string;
  /** Sends the client a warning about a credential that is probably a mistake. */
  readonly warn: (text: string) => void;
  /** Makes the request run as another user, if the one whom the authenticator returns may impersonate that user. */
  runAs(user: UserInfo): void;
}

/** One authentication method. */
export interface Authenticator {
  /**
   * Returns the user, or undefined when the request carries no credential of this kind, so that the next authenticator
   * is tried. Throws a 401 StatusError for an invalid credential of this kind. Synchronous where possible, because a
   * promise per request slows down reads.
   */
  authenticate(credentials: Credentials): MaybePromise<UserInfo | undefined>;
  /**
   * True for a method that accepts requests without credentials. The chain skips it once a credential has been refused.
   */
  readonly needsNoCredentials?: boolean;
}
