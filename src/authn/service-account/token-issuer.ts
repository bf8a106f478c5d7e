import { type IdentitySource, randomIdentity } from '../../meta/identity-source.ts';
import type { ServiceAccountKeys } from './service-account-keys.ts';
import { signToken } from './signed-token.ts';
import { accountName, legacyClaim, legacyIssuer } from './token-claims.ts';

export interface TokenIssuerOptions {
  readonly keys: ServiceAccountKeys;
  /** Usually a URL. */
  readonly issuer: string;
  /** Audiences of the API server, for tokens requested without any. Default: the issuer. */
  readonly audiences?: readonly string[];
  /** Maximum lifetime of a token. 0 means no limit. */
  readonly maxExpirationSeconds?: number;
  /**
   * Whether tokens that are injected into pods are valid for a year instead of an hour, for programs that read their
   * token only once. Default: true.
   */
  readonly extendExpiration?: boolean;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  /** Random by default. */
  readonly identity?: IdentitySource;
}

export interface ObjectReference {
  readonly name: string;
  /** Absent when unknown. */
  readonly uid?: string;
}

/** The account, audiences, lifetime and bound objects of a token to issue. */
export interface TokenSubject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token is valid as long as these objects exist. A node next to a pod only records where the pod runs. */
  readonly bound: { readonly [kind in 'pod' | 'secret' | 'node']?: ObjectReference };
}

export interface IssuedToken {
  readonly token: string;
  /** The `jti` claim, which identifies the token in logs. */
  readonly id: string;
  /** Less than requested when the server's maximum is lower. */
  readonly expirationSeconds: number;
  /** When the client should request a new token. An extended token is valid for longer. */
  readonly expires: Date;
}

export interface SecretToken {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

/** The kubelet requests injected tokens with exactly this lifetime, which identifies them. */
const injectedTokenSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

/** Signs service account tokens. */
export class TokenIssuer {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #options: TokenIssuerOptions;

  /** Throws a RangeError for an invalid maximum. */
  constructor(options: TokenIssuerOptions) {
    const { issuer, audiences = [issuer], maxExpirationSeconds = 0 } = options;
    if (maxExpirationSeconds !== 0 && !(maxExpirationSeconds >= 3600 && maxExpirationSeconds <= 2 ** 32)) {
      throw new RangeError('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
    }
    this.issuer = issuer;
    this.audiences = audiences;
    this.#options = options;
  }

  issue(subject: TokenSubject): IssuedToken {
    const { namespace, name, uid, audiences, bound } = subject;
    const { keys, maxExpirationSeconds = 0, now = Date.now, identity = randomIdentity } = this.#options;
    const seconds = Math.min(subject.expirationSeconds, maxExpirationSeconds || Infinity);
    const isExtended = this.#shouldExtend(subject, seconds);
    const iat = Math.floor(now() / 1000);
    const id = identity.uuid(`tokens/${namespace}/${name}`);
    const claims = {
      aud: audiences,
      exp: iat + (isExtended ? extendedSeconds : seconds),
      iat,
      iss: this.issuer,
      jti: id,
      'kubernetes.io': {
        namespace,
        node: bound.node,
        pod: bound.pod,
        secret: bound.secret,
        serviceaccount: { name, uid },
        warnafter: isExtended ? iat + seconds : undefined,
      },
      nbf: iat,
      sub: accountName(namespace, name),
    };
    const token = signToken(claims, keys.signing);
    return { token, id, expirationSeconds: seconds, expires: new Date((iat + seconds) * 1000) };
  }

  /** Issues a legacy token, which is valid as long as the secret contains it. */
  issueForSecret({ namespace, secret, account }: SecretToken): string {
    const claims = {
      iss: legacyIssuer,
      [legacyClaim.namespace]: namespace,
      [legacyClaim.secret]: secret,
      [legacyClaim.account]: account.name,
      [legacyClaim.accountUid]: account.uid,
      sub: accountName(namespace, account.name),
    };
    return signToken(claims, this.#options.keys.signing);
  }

  #shouldExtend({ audiences, bound }: TokenSubject, seconds: number): boolean {
    if (this.#options.extendExpiration === false || seconds !== injectedTokenSeconds || bound.pod === undefined)
      return false;
    return audiences.every((audience) => this.audiences.includes(audience));
  }
}
