import { constants, type KeyObject, sign, verify } from 'node:crypto';
import type { SignedToken } from './parse-token.ts';

interface Algorithm {
  /** Key type as named by Node.js. */
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  /** Curve as named by OpenSSL. */
  readonly curve?: string;
  readonly hash: string | null;
  readonly padding?: number;
  /** Absent: the size of the key's modulus. */
  readonly signatureBytes?: number;
}

const pss = constants.RSA_PKCS1_PSS_PADDING;
const pkcs1 = constants.RSA_PKCS1_PADDING;

const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['RS256', { keyType: 'rsa', hash: 'sha256', padding: pkcs1 }],
  ['RS384', { keyType: 'rsa', hash: 'sha384', padding: pkcs1 }],
  ['RS512', { keyType: 'rsa', hash: 'sha512', padding: pkcs1 }],
  ['PS256', { keyType: 'rsa', hash: 'sha256', padding: pss }],
  ['PS384', { keyType: 'rsa', hash: 'sha384', padding: pss }],
  ['PS512', { keyType: 'rsa', hash: 'sha512', padding: pss }],
  ['ES256', { keyType: 'ec', curve: 'prime256v1', hash: 'sha256', signatureBytes: 64 }],
  ['ES384', { keyType: 'ec', curve: 'secp384r1', hash: 'sha384', signatureBytes: 96 }],
  ['ES512', { keyType: 'ec', curve: 'secp521r1', hash: 'sha512', signatureBytes: 132 }],
  ['EdDSA', { keyType: 'ed25519', hash: null, signatureBytes: 64 }],
]);

/** Whether a key has the type and curve of an algorithm. Only then may it be used to verify. */
export function fitsAlgorithm(key: KeyObject, name: string): boolean {
  const algorithm = algorithms.get(name);
  if (algorithm === undefined || key.asymmetricKeyType !== algorithm.keyType) return false;
  return algorithm.curve === undefined || key.asymmetricKeyDetails?.namedCurve === algorithm.curve;
}

/** Whether the key made the signature. The key must fit the algorithm. */
export function isSignedBy(
  key: KeyObject,
  name: string,
  { content, signature }: Pick<SignedToken, 'content' | 'signature'>,
): boolean {
  const { hash, padding, signatureBytes = modulusBytes(key) } = algorithms.get(name)!;
  // The length is fixed, so that a signature has exactly one encoding.
  if (signature.length !== signatureBytes) return false;
  return verify(hash, content, { key, padding, dsaEncoding: 'ieee-p1363' }, signature);
}

/** Signs with a private key, which must fit the algorithm. */
export function createSignature(key: KeyObject, name: string, content: Buffer): Buffer {
  const { hash, padding } = algorithms.get(name)!;
  return sign(hash, content, { key, padding, dsaEncoding: 'ieee-p1363' });
}

function modulusBytes(key: KeyObject): number {
  return Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
}
