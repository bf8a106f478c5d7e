import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** One public key of an issuer. */
export interface IssuerKey {
  /** Empty when the issuer gives its keys no names. */
  readonly id: string;
  /** The only algorithm that the key is for, when the issuer says so. */
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

/** More than any issuer has at a time. */
const mostKeys = 100;
/** Shorter ones can be broken. */
const shortestModulus = 1024;

/** The signing keys of a JSON Web Key Set. Keys of unknown kinds are left out. Throws when it is no key set. */
export function readKeySet(document: unknown): IssuerKey[] {
  const keys = (document as { readonly keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw new Error('the key set has no list of keys');
  if (keys.length > mostKeys) throw new Error(`the key set has more than ${mostKeys} keys`);
  return keys.map(readKey).filter((key) => key !== undefined);
}

function readKey(jwk: unknown): IssuerKey | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, kid = '', use = 'sig', alg } = jwk as Record<string, unknown>;
  // A secret is no key of an issuer: whoever could verify could sign, too.
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return undefined;
  if (use !== 'sig' || typeof kid !== 'string' || (alg !== undefined && typeof alg !== 'string')) return undefined;
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    if (kty === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < shortestModulus) return undefined;
    return { id: kid, algorithm: alg, key };
  } catch {
    return undefined;
  }
}
