import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';

/** Whom a token stands for. */
export interface TokenUser {
  /** Without `system:authenticated`, which is for the caller to add. */
  readonly user: UserInfo;
  /** Which of the audiences asked about the token is for; undefined when tokens of this kind know no audiences. */
  readonly audiences?: readonly string[];
  /** The answer may be kept until then, in milliseconds since 1970, and never for longer than the caller keeps answers. */
  readonly expiresAt?: number;
  /** False once the answer no longer holds, whatever was said before: an object that the token is bound to has gone. Cheap. */
  readonly stillGood?: () => boolean;
}

/** One kind of bearer tokens. */
export interface TokenAuthenticator {
  /**
   * Undefined when the token is not of this kind, or is not for any of the audiences. A token of this kind that does not hold
   * is thrown as a TokenError. Any other error is a fault of the server or of a server behind it.
   */
  authenticateToken(token: string, audiences: readonly string[]): MaybePromise<TokenUser | undefined>;
}

/** Why a token is refused. The message is for administrators; it never holds the token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}
