import { goQuote } from '../../meta/go-quote.ts';
import type { IssuerConfiguration } from '../config/authentication-configuration.ts';
import { fetchJson } from './fetch-json.ts';
import { type IssuerKey, parseKeySet } from './key-set.ts';

/** How the keys of an issuer are fetched. Times are in milliseconds. */
export interface IssuerKeysOptions {
  readonly now?: () => number;
  readonly timeoutMs?: number;
  /** Age at which the keys are fetched again. The old keys stay in use meanwhile. */
  readonly refreshMs?: number;
  /** Minimum time between two fetches that tokens with unknown keys cause. */
  readonly minIntervalMs?: number;
  /** Abort it to end the requests. */
  readonly stop?: AbortSignal | undefined;
  /** Replaces the HTTPS request in tests that run without a network. */
  readonly fetch?: typeof fetchJson;
}

const maxBytes = 1024 * 1024;
const initialPauseMs = 1_000;
const maxPauseMs = 30_000;

/**
 * The public keys of an issuer, located through its discovery document. They are fetched on first use, periodically,
 * and when a token names an unknown key. Requests to the issuer never overlap, and back off exponentially while it
 * fails.
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

  /**
   * Returns the cached keys, or undefined before the first successful fetch. Starts a refresh in the background when
   * the keys are old.
   */
  current(): readonly IssuerKey[] | undefined {
    const age = this.#now() - this.#fetchedAt;
    if (this.#keys !== undefined && age >= (this.#options.refreshMs ?? 600_000) && this.mayFetch()) {
      // The old keys stay valid when the issuer does not respond.
      this.fetch().catch(() => {});
    }
    return this.#keys;
  }

  /** Whether a fetch is permitted now: the minimum interval has passed and no backoff is running. */
  mayFetch(): boolean {
    const now = this.#now();
    if (this.#fetching !== undefined) return true;
    return now >= this.#pauseUntil && now - this.#fetchedAt >= (this.#options.minIntervalMs ?? 5_000);
  }

  /** Fetches the keys, or joins the fetch in progress. Rejects when the issuer provides none. */
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
      this.#pauseUntil = this.#now() + Math.min(initialPauseMs * 2 ** this.#failures++, maxPauseMs);
      // The key set may have moved: read the discovery document again.
      this.#keysUrl = undefined;
      throw new Error(`oidc: issuer ${goQuote(this.#issuer.url)} is not available: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  async #fetchKeys(): Promise<readonly IssuerKey[]> {
    this.#keysUrl ??= await this.#discover();
    return parseKeySet(await this.#get(this.#keysUrl));
  }

  async #discover(): Promise<string> {
    const { url, discoveryUrl = `${url.replace(/\/$/, '')}/.well-known/openid-configuration` } = this.#issuer;
    const document = (await this.#get(discoveryUrl)) as {
      readonly issuer?: unknown;
      readonly jwks_uri?: unknown;
    } | null;
    // The document must be that of this issuer.
    if (document?.issuer !== url) {
      const got = typeof document?.issuer === 'string' ? document.issuer : '';
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${goQuote(got)}`,
      );
    }
    if (typeof document.jwks_uri !== 'string' || !document.jwks_uri.startsWith('https://')) {
      throw new Error('the discovery document has no https jwks_uri');
    }
    return document.jwks_uri;
  }

  #get(url: string): Promise<unknown> {
    const { fetch = fetchJson, timeoutMs = 10_000, stop } = this.#options;
    return fetch(url, { certificateAuthority: this.#issuer.certificateAuthority, timeoutMs, maxBytes, stop });
  }
}
