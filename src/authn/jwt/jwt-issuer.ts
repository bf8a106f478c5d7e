import { goQuoteList } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { inTurns } from '../../meta/turns.ts';
import type { IssuerConfiguration, JwtConfiguration } from '../config/authentication-configuration.ts';
import { fitsAlgorithm, isSignedBy, type SignedToken } from '../json-web-token/index.ts';
import { TokenError, type TokenUser } from '../token-authenticator.ts';
import { IssuerKeys, type IssuerKeysOptions } from './issuer-keys.ts';
import type { IssuerKey } from './key-set.ts';
import { mapClaims } from './map-claims.ts';
import { quoteShortened, verificationError, verifyClaims } from './verify-claims.ts';

/** Verifies the tokens of one issuer. */
export class JwtIssuer {
  readonly configuration: JwtConfiguration;
  readonly #keys: IssuerKeys;
  readonly #now: () => number;

  /** Takes over the keys of `previous`, which must have the same key source. */
  constructor(configuration: JwtConfiguration, options: IssuerKeysOptions, previous?: JwtIssuer) {
    this.configuration = configuration;
    this.#keys = previous === undefined ? new IssuerKeys(configuration.issuer, options) : previous.#keys;
    this.#now = options.now ?? Date.now;
  }

  /** Whether this issuer fetches its keys from the same URLs with the same CA. */
  hasKeySource({ url, discoveryUrl, certificateAuthority }: IssuerConfiguration): boolean {
    const { issuer } = this.configuration;
    return (
      issuer.url === url && issuer.discoveryUrl === discoveryUrl && issuer.certificateAuthority === certificateAuthority
    );
  }

  /** Fetches the keys before the first token arrives. The first token repeats a failed fetch and reports its error. */
  async prepare(): Promise<void> {
    if (this.#keys.current() === undefined) await this.#keys.fetch();
  }

  /**
   * Returns the user of a token whose `iss` is this issuer. Synchronous when the key is cached. Throws a TokenError for
   * an invalid token.
   */
  authenticate(token: SignedToken): MaybePromise<TokenUser> {
    const signer = this.#signerOf(token);
    // Claims are checked first, so that an invalid token causes no request to the issuer.
    const expiresAt = verifyClaims(token.claims, this.configuration, this.#now());
    const keys = this.#keys.current();
    if (keys !== undefined && isSignedByOneOf(keys, signer, token)) return this.#userOf(token, expiresAt);
    if (this.#keys.mayFetch()) return this.#authenticateAfterFetch(token, { signer, expiresAt });
    throw keys === undefined ? new TokenError('oidc: authenticator not initialized') : invalidSignature();
  }

  async #authenticateAfterFetch(token: SignedToken, { signer, expiresAt }: Pending): Promise<TokenUser> {
    if (isSignedByOneOf(await this.#keys.fetch(), signer, token)) return this.#userOf(token, expiresAt);
    throw invalidSignature();
  }

  #signerOf({ header }: SignedToken): Signer {
    const { alg, kid = '' } = header;
    if (Object.hasOwn(header, 'crit')) throw verificationError('oidc: malformed jwt: unsupported crit header');
    if (typeof alg !== 'string' || typeof kid !== 'string')
      throw verificationError('oidc: malformed jwt: invalid header');
    const expected = this.configuration.signingAlgorithms;
    if (!expected.includes(alg)) {
      throw verificationError(
        `oidc: id token signed with unsupported algorithm, expected ${goQuoteList(expected)} got ${quoteShortened(alg)}`,
      );
    }
    return { algorithm: alg, keyId: kid };
  }

  #userOf({ claims }: SignedToken, expiresAt: number): MaybePromise<TokenUser> {
    return mapMaybe(inTurns(mapClaims(claims, this.configuration)), (user) => ({ user, expiresAt }));
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

function invalidSignature(): TokenError {
  return verificationError('failed to verify signature: failed to verify id token signature');
}

/** Uses only the keys of the issuer, never a key that the token itself contains. */
function isSignedByOneOf(keys: readonly IssuerKey[], { algorithm, keyId }: Signer, token: SignedToken): boolean {
  return keys.some(
    (key) =>
      (keyId === '' || key.id === keyId) &&
      (key.algorithm === undefined || key.algorithm === algorithm) &&
      fitsAlgorithm(key.key, algorithm) &&
      isSignedBy(key.key, algorithm, token),
  );
}
