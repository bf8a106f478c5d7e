import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';

export interface TokenIssuerOptions {
  /** PEM: an EC key on the curve P-256. */
  readonly key: string;
  /** A URL. */
  readonly issuer: string;
}

/** For whom a token is, and how long. */
export interface TokenSubject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token is good as long as these are there: `pod`, `secret` or `node`. */
  readonly bound: Readonly<Record<string, { readonly name: string; readonly uid: string }>>;
}

export interface IssuedToken {
  readonly token: string;
  readonly expires: Date;
}

/** Signs the tokens by which programs show that they run as a service account. */
export class TokenIssuer {
  readonly issuer: string;
  readonly #key: KeyObject;
  readonly #header: string;

  constructor({ key, issuer }: TokenIssuerOptions) {
    this.issuer = issuer;
    this.#key = createPrivateKey(key);
    this.#header = encoded({ alg: 'ES256', kid: keyId(this.#key) });
  }

  issue({ namespace, name, uid, audiences, expirationSeconds, bound }: TokenSubject): IssuedToken {
    const now = Math.floor(Date.now() / 1000);
    const exp = now + expirationSeconds;
    const claims = {
      aud: audiences,
      exp,
      iat: now,
      iss: this.issuer,
      jti: randomUUID(),
      'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid } },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const content = `${this.#header}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return { token: `${content}.${signature.toString('base64url')}`, expires: new Date(exp * 1000) };
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Whoever verifies a token finds the key by it. */
function keyId(key: KeyObject): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}
