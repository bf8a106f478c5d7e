import { hash } from 'node:crypto';
import { ExpiringCache } from '../meta/expiring-cache.ts';
import { joinedErrors } from '../meta/joined-errors.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import { withAuthenticatedGroup } from './authenticated-group.ts';
import { type TokenAuthenticator, TokenError, type TokenUser } from './token-authenticator.ts';

const keptMs = 10_000;
const mostKept = 10_000;
/** What kube-apiserver says of every token that nobody knows, and before whatever else is wrong with it. */
const notKnown = 'invalid bearer token';

export interface KnownToken {
  /** The same object for as long as the answer is kept. */
  readonly user: UserInfo;
  /** Those of the audiences asked about that the token is for. */
  readonly audiences: readonly string[];
}

export interface RefusedToken {
  /** In kube-apiserver's words; several reasons are a list in brackets. Never holds the token. */
  readonly error: string;
}

export type TokenOutcome = KnownToken | RefusedToken;

export interface TokenChainOptions {
  /** The audiences of this server: what a token is for when nobody asks for others, or when its kind knows none. */
  readonly audiences: readonly string[];
  /** Told of errors that are no verdict on the token, such as a server behind that does not answer. */
  readonly onFault?: (error: unknown) => void;
  readonly now?: () => number;
}

interface Kept {
  readonly outcome: KnownToken;
  readonly stillGood: (() => boolean) | undefined;
}

/**
 * Asks the kinds of tokens in order; the first that knows the token wins. Who is known stays so for ten seconds, unless
 * the token expires or what it is bound to goes; refusals are not kept.
 */
export class TokenChain {
  readonly #authenticators: readonly TokenAuthenticator[];
  readonly #options: TokenChainOptions;
  readonly #now: () => number;
  readonly #kept: ExpiringCache<Kept>;
  readonly #asking = new Map<string, Promise<TokenOutcome>>();
  #generation = 0;

  constructor(authenticators: readonly TokenAuthenticator[], options: TokenChainOptions) {
    this.#authenticators = authenticators;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#kept = new ExpiringCache({ maximum: mostKept, now: this.#now });
  }

  /** Whom the token stands for. No or empty audiences are those of this server. Never throws for what the token is. */
  authenticate(token: string, audiences: readonly string[] = []): MaybePromise<TokenOutcome> {
    const digest = hash('sha256', token, 'base64');
    const key = audiences.length === 0 ? digest : `${digest}${JSON.stringify(audiences)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if (kept.stillGood?.() !== false) return kept.outcome;
      this.#kept.delete(key);
    }
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    const wanted = audiences.length === 0 ? this.#options.audiences : audiences;
    const outcome = this.#askFrom({ first: 0, token, key, wanted, errors: [], generation: this.#generation });
    return outcome instanceof Promise ? this.#share(key, outcome) : outcome;
  }

  /** Nothing of what was said before holds any longer: an authenticator has been given other keys or other tokens. */
  forget(): void {
    this.#generation++;
    this.#kept.clear();
    this.#asking.clear();
  }

  #share(key: string, outcome: Promise<TokenOutcome>): Promise<TokenOutcome> {
    const shared = outcome.finally(() => {
      if (this.#asking.get(key) === shared) this.#asking.delete(key);
    });
    this.#asking.set(key, shared);
    return shared;
  }

  #askFrom(question: Question): MaybePromise<TokenOutcome> {
    const { first, token, wanted, errors } = question;
    for (let index = first; index < this.#authenticators.length; index++) {
      try {
        const found = this.#authenticators[index]!.authenticateToken(token, wanted);
        if (found instanceof Promise) return this.#await(found, { ...question, first: index + 1 });
        const outcome = this.#accept(found, question);
        if (outcome !== undefined) return outcome;
      } catch (error) {
        this.#refused(error, errors);
      }
    }
    return { error: joinedErrors([notKnown, ...errors]) };
  }

  async #await(pending: Promise<TokenUser | undefined>, question: Question): Promise<TokenOutcome> {
    try {
      const outcome = this.#accept(await pending, question);
      if (outcome !== undefined) return outcome;
    } catch (error) {
      this.#refused(error, question.errors);
    }
    return this.#askFrom(question);
  }

  #accept(found: TokenUser | undefined, { key, wanted, generation }: Question): KnownToken | undefined {
    if (found === undefined) return undefined;
    const of = found.audiences ?? this.#options.audiences;
    const audiences = wanted.filter((audience) => of.includes(audience));
    // A token that is not for any of them says nothing about its bearer here.
    if (audiences.length === 0 && wanted.length > 0) return undefined;
    const outcome = { user: withAuthenticatedGroup(found.user), audiences };
    if (generation !== this.#generation) return outcome;
    const expiresAt = Math.min(this.#now() + keptMs, found.expiresAt ?? Number.POSITIVE_INFINITY);
    this.#kept.set(key, { outcome, stillGood: found.stillGood }, expiresAt);
    return outcome;
  }

  #refused(error: unknown, errors: string[]): void {
    if (!(error instanceof TokenError)) this.#options.onFault?.(error);
    errors.push(error instanceof Error ? error.message : String(error));
  }
}

interface Question {
  readonly first: number;
  readonly token: string;
  readonly key: string;
  readonly wanted: readonly string[];
  readonly errors: string[];
  readonly generation: number;
}
