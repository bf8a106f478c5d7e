import { randomUUID } from 'node:crypto';
import type { ServiceAccountKeys } from './service-account-keys.ts';
import { signedToken } from './signed-token.ts';
import { accountName, legacyClaim, legacyIssuer } from './token-claims.ts';

export interface TokenIssuerOptions {
  readonly keys: ServiceAccountKeys;
  /** Usually a URL. */
  readonly issuer: string;
  /** Of the API itself: for whom a token is that says nothing. The issuer by default. */
  readonly audiences?: readonly string[];
  /** No token is good for longer; 0 is no limit. */
  readonly maxExpirationSeconds?: number;
  /**
   * Whether the tokens that pods get without asking are good for a year instead of an hour, for programs that read theirs
   * once. On by default.
   */
  readonly extendExpiration?: boolean;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

export interface ObjectReference {
  readonly name: string;
  /** Absent when it is not known. */
  readonly uid?: string;
}

/** For whom a token is, and how long. */
export interface TokenSubject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token is good as long as these are there. A node beside a pod only says where that runs. */
  readonly bound: { readonly [kind in 'pod' | 'secret' | 'node']?: ObjectReference };
}

export interface IssuedToken {
  readonly token: string;
  /** By which logs know it. */
  readonly id: string;
  /** Less than asked for when the server allows no more. */
  readonly expirationSeconds: number;
  /** When its owner is to have another one; it may be good for longer. */
  readonly expires: Date;
}

export interface SecretToken {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

/** By these seconds the server knows the tokens that pods have not asked for themselves. */
const unaskedSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

/** Signs the tokens by which programs show that they run as a service account. */
export class TokenIssuer {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #options: TokenIssuerOptions;

  /** Throws a RangeError for a limit that makes no sense. */
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
    const { keys, maxExpirationSeconds = 0, now = Date.now } = this.#options;
    const seconds = Math.min(subject.expirationSeconds, maxExpirationSeconds || Infinity);
    const isExtended = this.#isExtended(subject, seconds);
    const iat = Math.floor(now() / 1000);
    const id = randomUUID();
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
    const token = signedToken(claims, keys.signing);
    return { token, id, expirationSeconds: seconds, expires: new Date((iat + seconds) * 1000) };
  }

  /** The token of a secret: good as long as the secret holds it. */
  issueForSecret({ namespace, secret, account }: SecretToken): string {
    const claims = {
      iss: legacyIssuer,
      [legacyClaim.namespace]: namespace,
      [legacyClaim.secret]: secret,
      [legacyClaim.account]: account.name,
      [legacyClaim.accountUid]: account.uid,
      sub: accountName(namespace, account.name),
    };
    return signedToken(claims, this.#options.keys.signing);
  }

  #isExtended({ audiences, bound }: TokenSubject, seconds: number): boolean {
    if (this.#options.extendExpiration === false || seconds !== unaskedSeconds || bound.pod === undefined) return false;
    return audiences.every((audience) => this.audiences.includes(audience));
  }
}
