import { hash } from 'node:crypto';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';

/** The user of a token. */
export interface TokenUser {
  /** The user without `system:authenticated`, which the caller adds. */
  readonly user: UserInfo;
  /** The requested audiences that the token is valid for. Undefined when tokens of this kind have no audiences. */
  readonly audiences?: readonly string[];
  /** When the token expires, in milliseconds since 1970. The caller may cache the result until then, or for less. */
  readonly expiresAt?: number;
  /**
   * Returns false once the result is void, for example because an object that the token is bound to was deleted. Cheap.
   */
  readonly isStillValid?: () => boolean;
}

/** Authenticates one kind of bearer token. */
export interface TokenAuthenticator {
  /**
   * Returns undefined when the token is of another kind or is not valid for any of the audiences. Throws a TokenError
   * for an invalid token of this kind. Any other error is a fault of this server or of one that it calls.
   */
  authenticateToken(token: string, audiences: readonly string[]): MaybePromise<TokenUser | undefined>;
}

/** The reason why a token is refused. The message is for administrators and never contains the token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** Tokens are looked up by digest, so that the lookup time reveals nothing about other tokens. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64');
}
