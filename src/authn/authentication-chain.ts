import type { MaybePromise } from '../meta/maybe-promise.ts';
import { StatusError, unauthorized } from '../meta/status-error.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import type { UserInfo } from '../meta/user.ts';

/** Asks authenticators in order; the first that knows the user wins. */
export class AuthenticationChain {
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
  }

  /**
   * Who makes the request. Throws (or rejects with) a 401 StatusError when nobody knows, also when one authenticator
   * refused its credential and no other one accepted another. Synchronous as long as the authenticators are.
   */
  authenticate(credentials: Credentials): MaybePromise<UserInfo> {
    return this.#askFrom(0, credentials);
  }

  #askFrom(first: number, credentials: Credentials): MaybePromise<UserInfo> {
    for (let index = first; index < this.#authenticators.length; index++) {
      try {
        const user = this.#authenticators[index]!.authenticate(credentials);
        if (user instanceof Promise) return this.#await(user, index, credentials);
        if (user !== undefined) return user;
      } catch (error) {
        ignoreRefusal(error);
      }
    }
    throw unauthorized();
  }

  async #await(pending: Promise<UserInfo | undefined>, index: number, credentials: Credentials): Promise<UserInfo> {
    try {
      const user = await pending;
      if (user !== undefined) return user;
    } catch (error) {
      ignoreRefusal(error);
    }
    return this.#askFrom(index + 1, credentials);
  }
}

/** A refused credential leaves the word to the next authenticator; any other error is a fault of the server. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof StatusError) || error.status.code !== 401) throw error;
}
