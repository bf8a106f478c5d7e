import type { MaybePromise } from '../meta/maybe-promise.ts';
import { type NewSession, type Session, Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import { type NewLink, SignInLinks } from './sign-in-links.ts';

/** Links and sessions. One thread of the server keeps them for all threads. */
export interface SignIns {
  makeLink(signIn: SignIn): MaybePromise<NewLink>;
  /** Returns whom the token of a link signs in, on its first use. */
  redeem(token: string): MaybePromise<SignIn | undefined>;
  begin(signIn: SignIn): MaybePromise<NewSession>;
  find(id: string, proof: string): MaybePromise<Session | undefined>;
  end(id: string, proof: string): MaybePromise<void>;
}

export class OwnSignIns implements SignIns {
  readonly #links = new SignInLinks();
  readonly #sessions = new Sessions();

  makeLink(signIn: SignIn): NewLink {
    return this.#links.make(signIn);
  }

  redeem(token: string): SignIn | undefined {
    return this.#links.redeem(token);
  }

  begin(signIn: SignIn): NewSession {
    return this.#sessions.begin(signIn);
  }

  find(id: string, proof: string): Session | undefined {
    return this.#sessions.find(id, proof);
  }

  end(id: string, proof: string): void {
    this.#sessions.end(id, proof);
  }
}
