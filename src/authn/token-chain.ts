import { ExpiringCache } from '../meta/expiring-cache.ts';
import { joinedErrors } from '../meta/joined-errors.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import { withAuthenticatedGroup } from './authenticated-group.ts';
import { type TokenAuthenticator, TokenError, type TokenUser, tokenDigest } from './token-authenticator.ts';

const cacheTtlMs = 10_000;
const maxKept = 10_000;
/** The message of kube-apiserver for every refused token. More specific reasons follow it. */
const invalidToken = 'invalid bearer token';

export interface KnownToken {
  /** The same object as long as the result is cached. */
  readonly user: UserInfo;
  /** The requested audiences that the token is valid for. */
  readonly audiences: readonly string[];
}

export interface RefusedToken {
  /** Uses the messages of kube-apiserver; several reasons form a list in brackets. Never contains the token. */
  readonly error: string;
}

export type TokenOutcome = KnownToken | RefusedToken;

export interface TokenChainOptions {
  /** The audiences of this server. They apply when none are requested and to tokens without audiences. */
  readonly audiences: readonly string[];
  /** Called with errors that say nothing about the token, such as a webhook that does not respond. */
  readonly onFault?: (error: unknown) => void;
  readonly now?: () => number;
  /** Default: the monotonic clock of the machine. */
  readonly monotonic?: () => number;
}

interface CachedOutcome {
  readonly outcome: KnownToken;
  readonly isStillValid: (() => boolean) | undefined;
}

/**
 * Tries the token authenticators in order and returns the first user found. Accepted tokens are cached for ten seconds,
 * unless the token expires or an object that it is bound to is deleted. Refusals are not cached.
 */
export class TokenChain {
  readonly #authenticators: readonly TokenAuthenticator[];
  readonly #options: TokenChainOptions;
  readonly #now: () => number;
  readonly #cache: ExpiringCache<CachedOutcome>;
  readonly #pending = new Map<string, Promise<TokenOutcome>>();
  #generation = 0;

  constructor(authenticators: readonly TokenAuthenticator[], options: TokenChainOptions) {
    this.#authenticators = authenticators;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new ExpiringCache({ maxSize: maxKept, now: this.#now, monotonic: options.monotonic });
  }

  /**
   * Returns the user of the token. Without audiences, those of this server apply. Never throws for an invalid token.
   */
  authenticate(
    token: string,
    audiences: readonly string[] = [],
    digest = tokenDigest(token),
  ): MaybePromise<TokenOutcome> {
    const key = audiences.length === 0 ? digest : `${digest}${JSON.stringify(audiences)}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      if (cached.isStillValid?.() !== false) return cached.outcome;
      this.#cache.delete(key);
    }
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const wanted = audiences.length === 0 ? this.#options.audiences : audiences;
    const outcome = this.#authenticate({ first: 0, token, key, wanted, errors: [], generation: this.#generation });
    return outcome instanceof Promise ? this.#share(key, outcome) : outcome;
  }

  /** Drops all cached and pending results. Call it when an authenticator gets new keys or tokens. */
  clear(): void {
    this.#generation++;
    this.#cache.clear();
    this.#pending.clear();
  }

  #share(key: string, outcome: Promise<TokenOutcome>): Promise<TokenOutcome> {
    const shared = outcome.finally(() => {
      if (this.#pending.get(key) === shared) this.#pending.delete(key);
    });
    this.#pending.set(key, shared);
    return shared;
  }

  #authenticate(lookup: Lookup): MaybePromise<TokenOutcome> {
    const { first, token, wanted, errors } = lookup;
    for (let index = first; index < this.#authenticators.length; index++) {
      try {
        const found = this.#authenticators[index]!.authenticateToken(token, wanted);
        if (found instanceof Promise) return this.#await(found, { ...lookup, first: index + 1 });
        const outcome = this.#accept(found, lookup);
        if (outcome !== undefined) return outcome;
      } catch (error) {
        this.#addError(error, errors);
      }
    }
    return { error: joinedErrors([invalidToken, ...errors]) };
  }

  async #await(pending: Promise<TokenUser | undefined>, lookup: Lookup): Promise<TokenOutcome> {
    try {
      const outcome = this.#accept(await pending, lookup);
      if (outcome !== undefined) return outcome;
    } catch (error) {
      this.#addError(error, lookup.errors);
    }
    return this.#authenticate(lookup);
  }

  #accept(found: TokenUser | undefined, { key, wanted, generation }: Lookup): KnownToken | undefined {
    if (found === undefined) return undefined;
    const tokenAudiences = found.audiences ?? this.#options.audiences;
    const audiences = wanted.filter((audience) => tokenAudiences.includes(audience));
    // A token for other audiences does not identify its bearer here.
    if (audiences.length === 0 && wanted.length > 0) return undefined;
    const outcome = { user: withAuthenticatedGroup(found.user), audiences };
    if (generation !== this.#generation) return outcome;
    const expiresAt = Math.min(this.#now() + cacheTtlMs, found.expiresAt ?? Number.POSITIVE_INFINITY);
    this.#cache.set(key, { outcome, isStillValid: found.isStillValid }, expiresAt);
    return outcome;
  }

  #addError(error: unknown, errors: string[]): void {
    if (!(error instanceof TokenError)) this.#options.onFault?.(error);
    errors.push(error instanceof Error ? error.message : String(error));
  }
}

interface Lookup {
  readonly first: number;
  readonly token: string;
  readonly key: string;
  readonly wanted: readonly string[];
  readonly errors: string[];
  readonly generation: number;
}
