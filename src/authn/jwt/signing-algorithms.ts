import { constants, type KeyObject, verify } from 'node:crypto';

interface Algorithm {
  /** As Node.js names the type of a key. */
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly curve?: string;
  readonly hash: string | null;
  readonly padding?: number;
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
  ['ES256', { keyType: 'ec', curve: 'prime256v1', hash: 'sha256' }],
  ['ES384', { keyType: 'ec', curve: 'secp384r1', hash: 'sha384' }],
  ['ES512', { keyType: 'ec', curve: 'secp521r1', hash: 'sha512' }],
  ['EdDSA', { keyType: 'ed25519', hash: null }],
]);

/** Whether a key is of the kind that signs with this algorithm. A key of another kind is never tried. */
export function fitsAlgorithm(key: KeyObject, name: string): boolean {
  const algorithm = algorithms.get(name);
  if (algorithm === undefined || key.asymmetricKeyType !== algorithm.keyType) return false;
  return algorithm.curve === undefined || key.asymmetricKeyDetails?.namedCurve === algorithm.curve;
}

/** Whether the key, which must fit the algorithm, has made the signature. */
export function isSignedBy(
  key: KeyObject,
  name: string,
  { content, signature }: { readonly content: Buffer; readonly signature: Buffer },
): boolean {
  const { hash, padding } = algorithms.get(name)!;
  return verify(hash, content, { key, padding, dsaEncoding: 'ieee-p1363' }, signature);
}
