import { digestOf, newSecret } from './secret.ts';
import type { SignIn } from './sign-in.ts';

const lifeMs = 12 * 60 * 60_000;
const maxSessions = 1024;
const maxSessionsOfUser = 16;

export interface Session {
  readonly signIn: SignIn;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly proofDigest: string;
}

export interface NewSession {
  /** The secret for the cookie. */
  readonly id: string;
  /** The secret for the page. A session requires both. */
  readonly proof: string;
  readonly expiresAt: number;
}

/** The sessions of signed-in browsers. When there are too many, the oldest ones end. */
export class Sessions {
  /** Keyed by the digest of the id, the oldest first. */
  readonly #sessions = new Map<string, Session>();
  readonly #now: () => number;

  constructor({ now = Date.now }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  /** The time counts from the first sign-in: a session that a link of another session has begun ends with that one. */
  begin(signIn: SignIn): NewSession {
    const id = newSecret();
    const proof = newSecret();
    const expiresAt = Math.min(this.#now() + lifeMs, signIn.endsAt ?? Number.POSITIVE_INFINITY);
    this.#makeRoom(signIn.user.name);
    this.#sessions.set(digestOf(id), { signIn, expiresAt, proofDigest: digestOf(proof) });
    return { id, proof, expiresAt };
  }

  /** Returns the session of a cookie if the proof matches. */
  find(id: string, proof: string): Session | undefined {
    const key = digestOf(id);
    const session = this.#sessions.get(key);
    if (session === undefined || session.proofDigest !== digestOf(proof)) return undefined;
    if (this.#now() < session.expiresAt) return session;
    this.#sessions.delete(key);
    return undefined;
  }

  end(id: string, proof: string): void {
    if (this.find(id, proof) !== undefined) this.#sessions.delete(digestOf(id));
  }

  #makeRoom(userName: string): void {
    const now = this.#now();
    const ofUser: string[] = [];
    for (const [key, session] of this.#sessions) {
      if (now >= session.expiresAt) this.#sessions.delete(key);
      else if (session.signIn.user.name === userName) ofUser.push(key);
    }
    if (ofUser.length >= maxSessionsOfUser) this.#sessions.delete(ofUser[0]!);
    if (this.#sessions.size >= maxSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
  }
}
