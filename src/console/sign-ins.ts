import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import { type NewSession, type Session, Sessions } from './sessions.ts';
import { type NewLink, SignInLinks } from './sign-in-links.ts';

/** Links and sessions. One thread of the server keeps them for all threads. */
export interface SignIns {
  makeLink(user: UserInfo): MaybePromise<NewLink>;
  /** Returns the user of a link's token on its first use. */
  redeem(token: string): MaybePromise<UserInfo | undefined>;
  /** Starts a session of a user. If it was created with a bearer token, it is valid only as long as that token. */
  begin(user: UserInfo, token?: string): MaybePromise<NewSession>;
  find(id: string, proof: string): MaybePromise<Session | undefined>;
  end(id: string, proof: string): MaybePromise<void>;
}

export class OwnSignIns implements SignIns {
  readonly #links = new SignInLinks();
  readonly #sessions = new Sessions();

  makeLink(user: UserInfo): NewLink {
    return this.#links.make(user);
  }

  redeem(token: string): UserInfo | undefined {
    return this.#links.redeem(token);
  }

  begin(user: UserInfo, token?: string): NewSession {
    return this.#sessions.begin(user, token);
  }

  find(id: string, proof: string): Session | undefined {
    return this.#sessions.find(id, proof);
  }

  end(id: string, proof: string): void {
    this.#sessions.end(id, proof);
  }
}
