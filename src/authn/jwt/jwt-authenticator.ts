import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { JwtConfiguration } from '../config/authentication-configuration.ts';
import { parseToken } from '../json-web-token/index.ts';
import type { TokenAuthenticator, TokenUser } from '../token-authenticator.ts';
import type { IssuerKeysOptions } from './issuer-keys.ts';
import { JwtIssuer } from './jwt-issuer.ts';

/** Google writes its name in two ways. */
const shortGoogleIssuer = 'accounts.google.com';

/**
 * JSON Web Tokens of issuers that an administrator trusts. The tokens know no audiences of this server: that they are for
 * one of their issuer's audiences is checked here.
 */
export class JwtAuthenticator implements TokenAuthenticator {
  readonly #options: IssuerKeysOptions;
  #issuers: ReadonlyMap<string, JwtIssuer> = new Map();

  constructor(configurations: readonly JwtConfiguration[], options: IssuerKeysOptions = {}) {
    this.#options = options;
    this.#issuers = this.#created(configurations);
  }

  /** Undefined for tokens of other issuers. At once when the issuer's keys are known. */
  authenticateToken(token: string): MaybePromise<TokenUser | undefined> {
    if (this.#issuers.size === 0) return undefined;
    const parsed = parseToken(token);
    if (parsed === undefined) return undefined;
    const { iss } = parsed.claims;
    if (typeof iss !== 'string') return undefined;
    return this.#issuers.get(iss === shortGoogleIssuer ? `https://${iss}` : iss)?.authenticate(parsed);
  }

  /** Asks all issuers for their keys. Resolves when all have answered or failed; rejects with the first failure. */
  async prepare(): Promise<void> {
    await Promise.all([...this.#issuers.values()].map((issuer) => issuer.prepare()));
  }

  /**
   * From now on these issuers count and no others. One that was there before, at the same place, keeps its keys. Whoever
   * keeps answers must forget those given before.
   */
  replace(configurations: readonly JwtConfiguration[]): void {
    this.#issuers = this.#created(configurations);
  }

  #created(configurations: readonly JwtConfiguration[]): ReadonlyMap<string, JwtIssuer> {
    const before = [...this.#issuers.values()];
    return new Map(
      configurations.map((one) => {
        const known = before.find((issuer) => issuer.isAt(one.issuer));
        return [one.issuer.url, new JwtIssuer(one, this.#options, known)];
      }),
    );
  }
}
