import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { JwtConfiguration } from '../config/authentication-configuration.ts';
import { parseToken } from '../json-web-token/index.ts';
import type { TokenAuthenticator, TokenUser } from '../token-authenticator.ts';
import type { IssuerKeysOptions } from './issuer-keys.ts';
import { JwtIssuer } from './jwt-issuer.ts';

/** Google uses its issuer name both with and without the scheme. */
const shortGoogleIssuer = 'accounts.google.com';

/**
 * Authenticates JSON Web Tokens of the configured issuers. Audiences are those of the issuer's configuration, not those
 * of this server, and are checked here.
 */
export class JwtAuthenticator implements TokenAuthenticator {
  readonly #options: IssuerKeysOptions;
  #issuers: ReadonlyMap<string, JwtIssuer> = new Map();

  constructor(configurations: readonly JwtConfiguration[], options: IssuerKeysOptions = {}) {
    this.#options = options;
    this.#issuers = this.#createIssuers(configurations);
  }

  /** Returns undefined for tokens of other issuers. Synchronous when the issuer's keys are cached. */
  authenticateToken(token: string): MaybePromise<TokenUser | undefined> {
    if (this.#issuers.size === 0) return undefined;
    const parsed = parseToken(token);
    if (parsed === undefined) return undefined;
    const { iss } = parsed.claims;
    if (typeof iss !== 'string') return undefined;
    return this.#issuers.get(iss === shortGoogleIssuer ? `https://${iss}` : iss)?.authenticate(parsed);
  }

  /** Fetches the keys of all issuers. Rejects with the first failure. */
  async prepare(): Promise<void> {
    await Promise.all([...this.#issuers.values()].map((issuer) => issuer.prepare()));
  }

  /**
   * Replaces the configured issuers. An issuer whose keys come from the same source keeps them. The caller must drop
   * cached results.
   */
  replace(configurations: readonly JwtConfiguration[]): void {
    this.#issuers = this.#createIssuers(configurations);
  }

  #createIssuers(configurations: readonly JwtConfiguration[]): ReadonlyMap<string, JwtIssuer> {
    const before = [...this.#issuers.values()];
    return new Map(
      configurations.map((one) => {
        const known = before.find((issuer) => issuer.hasKeySource(one.issuer));
        return [one.issuer.url, new JwtIssuer(one, this.#options, known)];
      }),
    );
  }
}
