import { goQuote } from '../../meta/go-quote.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { IssuerConfiguration, JwtConfiguration } from '../config/authentication-configuration.ts';
import { fitsAlgorithm, isSignedBy, type SignedToken } from '../json-web-token/index.ts';
import { TokenError, type TokenUser } from '../token-authenticator.ts';
import { IssuerKeys, type IssuerKeysOptions } from './issuer-keys.ts';
import type { IssuerKey } from './key-set.ts';
import { mapClaims } from './map-claims.ts';
import { refused, shown, verifyClaims } from './verify-claims.ts';

/** The tokens of one issuer. */
export class JwtIssuer {
  readonly configuration: JwtConfiguration;
  readonly #keys: IssuerKeys;
  readonly #now: () => number;

  /** With the keys of another one, which must be at the same place, when there is one. */
  constructor(configuration: JwtConfiguration, options: IssuerKeysOptions, known?: JwtIssuer) {
    this.configuration = configuration;
    this.#keys = known === undefined ? new IssuerKeys(configuration.issuer, options) : known.#keys;
    this.#now = options.now ?? Date.now;
  }

  /** Whether the keys of this issuer are found there, and in the same way. */
  isAt({ url, discoveryUrl, certificateAuthority }: IssuerConfiguration): boolean {
    const { issuer } = this.configuration;
    return (
      issuer.url === url && issuer.discoveryUrl === discoveryUrl && issuer.certificateAuthority === certificateAuthority
    );
  }

  /** Asks for the keys before the first token comes. Failures are met again, and told, when one comes. */
  async prepare(): Promise<void> {
    if (this.#keys.current() === undefined) await this.#keys.fetch();
  }

  /** Whom a token with this `iss` stands for. Answers at once when the key is known. Throws TokenError on a bad token. */
  authenticate(token: SignedToken): MaybePromise<TokenUser> {
    const signer = this.#signerOf(token);
    // What is refused anyway must not cost a request to the issuer.
    const expiresAt = verifyClaims(token.claims, this.configuration, this.#now());
    const keys = this.#keys.current();
    if (keys !== undefined && isSignedByOneOf(keys, signer, token)) return this.#userOf(token, expiresAt);
    if (this.#keys.mayFetch()) return this.#authenticateLater(token, { signer, expiresAt });
    throw keys === undefined ? new TokenError('oidc: authenticator not initialized') : unverified();
  }

  async #authenticateLater(token: SignedToken, { signer, expiresAt }: Pending): Promise<TokenUser> {
    if (isSignedByOneOf(await this.#keys.fetch(), signer, token)) return this.#userOf(token, expiresAt);
    throw unverified();
  }

  #signerOf({ header }: SignedToken): Signer {
    const { alg, kid = '' } = header;
    if (Object.hasOwn(header, 'crit')) throw refused('oidc: malformed jwt: unsupported crit header');
    if (typeof alg !== 'string' || typeof kid !== 'string') throw refused('oidc: malformed jwt: invalid header');
    const expected = this.configuration.signingAlgorithms;
    if (!expected.includes(alg)) {
      const list = expected.map(goQuote).join(' ');
      throw refused(`oidc: id token signed with unsupported algorithm, expected [${list}] got ${shown(alg)}`);
    }
    return { algorithm: alg, keyId: kid };
  }

  #userOf({ claims }: SignedToken, expiresAt: number): TokenUser {
    return { user: mapClaims(claims, this.configuration), expiresAt };
  }
}

interface Signer {
  readonly algorithm: string;
  readonly keyId: string;
}

interface Pending {
  readonly signer: Signer;
  readonly expiresAt: number;
}

function unverified(): TokenError {
  return refused('failed to verify signature: failed to verify id token signature');
}

/** Only keys of the issuer count, never one that a token brings along. */
function isSignedByOneOf(keys: readonly IssuerKey[], { algorithm, keyId }: Signer, token: SignedToken): boolean {
  return keys.some(
    (key) =>
      (keyId === '' || key.id === keyId) &&
      (key.algorithm === undefined || key.algorithm === algorithm) &&
      fitsAlgorithm(key.key, algorithm) &&
      isSignedBy(key.key, algorithm, token),
  );
}
