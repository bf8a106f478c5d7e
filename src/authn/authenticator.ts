import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Peer } from './peer.ts';

/** What a request offers to prove who makes it. */
export interface Credentials {
  readonly connection: Peer;
  /** The value of a request header by its lower-case name. */
  header(name: string): string | undefined;
  /** All request headers as they came, names and values in turn: for those whose values must not be joined. */
  readonly rawHeaders: readonly string[];
  /** The path of the request, percent-decoded. */
  readonly path: string;
  /** Tells the client of a credential that it may not have meant so. */
  readonly warn: (text: string) => void;
}

/** One way to learn who makes a request. */
export interface Authenticator {
  /**
   * The user, or undefined when the request carries no credential of this kind. A credential of this kind that does not
   * hold is thrown as a 401 StatusError. Answers at once where it can: a promise per request is felt on the read path.
   */
  authenticate(credentials: Credentials): MaybePromise<UserInfo | undefined>;
  /** True for one that takes those who show nothing: it is passed over once a credential has been refused. */
  readonly withoutCredentials?: boolean;
}
