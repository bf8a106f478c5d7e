import { goQuote } from '../../meta/go-quote.ts';
import type { IssuerConfiguration } from '../config/authentication-configuration.ts';
import { fetchJson } from './fetch-json.ts';
import { type IssuerKey, readKeySet } from './key-set.ts';

/** How an issuer is asked for its keys. Times are in milliseconds. */
export interface IssuerKeysOptions {
  readonly now?: () => number;
  readonly timeoutMs?: number;
  /** Keys are asked for again after this time, while the old ones are in use. */
  readonly refreshMs?: number;
  /** A token with an unknown key has them asked for again, but not more often than this. */
  readonly leastIntervalMs?: number;
  /** Fetches JSON; for tests of what happens without a network. */
  readonly fetch?: typeof fetchJson;
}

const mostBytes = 1024 * 1024;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * The public keys of an issuer: found through its discovery document, fetched when first needed, and again when a token
 * names a key that is not among them. Requests to the issuer never overlap, and come less and less often while it fails.
 */
export class IssuerKeys {
  readonly #issuer: IssuerConfiguration;
  readonly #now: () => number;
  readonly #options: IssuerKeysOptions;
  #keys: readonly IssuerKey[] | undefined;
  #keysUrl: string | undefined;
  #fetching: Promise<readonly IssuerKey[]> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #pauseUntil = Number.NEGATIVE_INFINITY;

  constructor(issuer: IssuerConfiguration, options: IssuerKeysOptions = {}) {
    this.#issuer = issuer;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** What is known now; undefined before the first answer. Old keys are renewed behind the scenes. */
  current(): readonly IssuerKey[] | undefined {
    const age = this.#now() - this.#fetchedAt;
    if (this.#keys !== undefined && age >= (this.#options.refreshMs ?? 600_000) && this.mayFetch()) {
      // The old keys stay good when the issuer does not answer.
      this.fetch().catch(() => {});
    }
    return this.#keys;
  }

  /** Whether asking the issuer now is allowed: the last answer is not too young, and it is not failing. */
  mayFetch(): boolean {
    const now = this.#now();
    if (this.#fetching !== undefined) return true;
    return now >= this.#pauseUntil && now - this.#fetchedAt >= (this.#options.leastIntervalMs ?? 5_000);
  }

  /** Asks the issuer, or waits for the answer that is on its way. Rejects when it has none. */
  fetch(): Promise<readonly IssuerKey[]> {
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<readonly IssuerKey[]> {
    try {
      const keys = await this.#fetchKeys();
      this.#keys = keys;
      this.#fetchedAt = this.#now();
      this.#failures = 0;
      return keys;
    } catch (error) {
      this.#pauseUntil = this.#now() + Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs);
      // It may have moved.
      this.#keysUrl = undefined;
      throw new Error(`oidc: issuer ${goQuote(this.#issuer.url)} is not available: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  async #fetchKeys(): Promise<readonly IssuerKey[]> {
    this.#keysUrl ??= await this.#discover();
    return readKeySet(await this.#get(this.#keysUrl));
  }

  async #discover(): Promise<string> {
    const { url, discoveryUrl = `${url.replace(/\/$/, '')}/.well-known/openid-configuration` } = this.#issuer;
    const document = (await this.#get(discoveryUrl)) as {
      readonly issuer?: unknown;
      readonly jwks_uri?: unknown;
    } | null;
    // Whoever answers must speak for this issuer.
    if (document?.issuer !== url) {
      const got = typeof document?.issuer === 'string' ? document.issuer : '';
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${goQuote(got)}`,
      );
    }
    if (typeof document.jwks_uri !== 'string' || !document.jwks_uri.startsWith('https://')) {
      throw new Error('the discovery document has no jwks_uri of https');
    }
    return document.jwks_uri;
  }

  #get(url: string): Promise<unknown> {
    const { fetch = fetchJson, timeoutMs = 10_000 } = this.#options;
    return fetch(url, { certificateAuthority: this.#issuer.certificateAuthority, timeoutMs, mostBytes });
  }
}
