import { digestOf, newSecret } from './secret.ts';
import type { SignIn } from './sign-in.ts';

const lifeMs = 15 * 60_000;
const maxLinks = 256;

interface Link {
  readonly digest: string;
  readonly signIn: SignIn;
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
  make(signIn: SignIn): NewLink {
    const token = newSecret();
    const { user, endsAt = Number.POSITIVE_INFINITY } = signIn;
    const expiresAt = Math.min(this.#now() + lifeMs, endsAt);
    this.#links.delete(user.name);
    this.#links.set(user.name, { digest: digestOf(token), signIn, expiresAt });
    if (this.#links.size > maxLinks) this.#links.delete(this.#links.keys().next().value!);
    return { token, expiresAt };
  }

  /** Returns whom a token signs in, on its first use. */
  redeem(token: string): SignIn | undefined {
    const digest = digestOf(token);
    for (const [name, link] of this.#links) {
      if (link.digest !== digest) continue;
      this.#links.delete(name);
      return this.#now() < link.expiresAt ? link.signIn : undefined;
    }
    return undefined;
  }
}
