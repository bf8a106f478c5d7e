import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** One public key of an issuer. */
export interface IssuerKey {
  /** Empty when the issuer assigns no key IDs. */
  readonly id: string;
  /** The only algorithm that the key may be used with, if the issuer restricts it. */
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

/** Far more than any issuer publishes. */
const maxKeys = 100;
/** Smaller moduli can be factored. */
const minModulusBits = 1024;

/**
 * Parses the signing keys of a JSON Web Key Set and skips keys of unknown types. Throws when the document is not a key
 * set.
 */
export function parseKeySet(document: unknown): IssuerKey[] {
  const keys = (document as { readonly keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw new Error('the key set has no keys list');
  if (keys.length > maxKeys) throw new Error(`the key set has more than ${maxKeys} keys`);
  return keys.map(readKey).filter((key) => key !== undefined);
}

function readKey(jwk: unknown): IssuerKey | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, kid = '', use = 'sig', alg } = jwk as Record<string, unknown>;
  // Symmetric keys are skipped: anyone who can verify with one can also sign with it.
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return undefined;
  if (use !== 'sig' || typeof kid !== 'string' || (alg !== undefined && typeof alg !== 'string')) return undefined;
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    if (kty === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < minModulusBits) return undefined;
    return { id: kid, algorithm: alg, key };
  } catch {
    return undefined;
  }
}
