import type { MaybePromise } from '../meta/maybe-promise.ts';
import { StatusError, unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';

interface Progress {
  /** Index of the next authenticator. */
  readonly next: number;
  readonly anyRefused: boolean;
}

const start: Progress = { next: 0, anyRefused: false };

/** Tries the authenticators in order and returns the first user found. */
export class AuthenticationChain {
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
  }

  /**
   * Returns the user who makes the request. Throws or rejects with a 401 StatusError when no authenticator accepts a
   * credential. A request with a refused credential never becomes anonymous. Synchronous as long as the authenticators
   * are.
   */
  authenticate(credentials: Credentials): MaybePromise<UserInfo> {
    return this.#authenticateFrom(credentials, start);
  }

  #authenticateFrom(credentials: Credentials, { next, anyRefused }: Progress): MaybePromise<UserInfo> {
    let refused = anyRefused;
    for (let index = next; index < this.#authenticators.length; index++) {
      const authenticator = this.#authenticators[index]!;
      if (refused && authenticator.needsNoCredentials === true) continue;
      try {
        const user = authenticator.authenticate(credentials);
        if (user instanceof Promise) return this.#await(user, credentials, { next: index + 1, anyRefused: refused });
        if (user !== undefined) return user;
      } catch (error) {
        rethrowUnlessUnauthorized(error);
        refused = true;
      }
    }
    throw unauthorized();
  }

  async #await(
    pending: Promise<UserInfo | undefined>,
    credentials: Credentials,
    progress: Progress,
  ): Promise<UserInfo> {
    try {
      const user = await pending;
      if (user !== undefined) return user;
    } catch (error) {
      rethrowUnlessUnauthorized(error);
      return this.#authenticateFrom(credentials, { ...progress, anyRefused: true });
    }
    return this.#authenticateFrom(credentials, progress);
  }
}

/** A refused credential passes the request on to the next authenticator. Any other error is a server fault. */
function rethrowUnlessUnauthorized(error: unknown): void {
  if (!(error instanceof StatusError) || error.status.code !== 401) throw error;
}
