import type { UserInfo } from '../meta/user.ts';
import { digestOf, newSecret } from './secret.ts';

const lifeMs = 15 * 60_000;
const maxLinks = 256;

interface Link {
  readonly digest: string;
  readonly user: UserInfo;
  readonly expiresAt: number;
}

export interface NewLink {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Single-use, short-lived sign-in tokens. A user has at most one. */
export class SignInLinks {
  /** Keyed by the name of the user, the oldest first. */
  readonly #links = new Map<string, Link>();
  readonly #now: () => number;

  constructor({ now = Date.now }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  /** An older token of the user is no longer valid. */
  make(user: UserInfo): NewLink {
    const token = newSecret();
    const expiresAt = this.#now() + lifeMs;
    this.#links.delete(user.name);
    this.#links.set(user.name, { digest: digestOf(token), user, expiresAt });
    if (this.#links.size > maxLinks) this.#links.delete(this.#links.keys().next().value!);
    return { token, expiresAt };
  }

  /** Returns the user of a token on its first use. */
  redeem(token: string): UserInfo | undefined {
    const digest = digestOf(token);
    for (const [name, link] of this.#links) {
      if (link.digest !== digest) continue;
      this.#links.delete(name);
      return this.#now() < link.expiresAt ? link.user : undefined;
    }
    return undefined;
  }
}
