import { type KeyObject, verify } from 'node:crypto';
import { type DecodedRequest, decodePemRequest } from './decode-request.ts';
import { DerError } from './der-reader.ts';
import { parsePublicKey } from './subject-key.ts';

interface SignatureAlgorithm {
  /** Null when the algorithm includes its hash. */
  readonly hash: string | null;
  readonly failure: string;
}

const rsa = (hash: string): SignatureAlgorithm => ({ hash, failure: 'crypto/rsa: verification error' });
const ecdsa = (hash: string): SignatureAlgorithm => ({ hash, failure: 'x509: ECDSA verification failure' });

const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.5': rsa('sha1'),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  '1.2.840.10045.4.1': ecdsa('sha1'),
  '1.2.840.10045.4.3.2': ecdsa('sha256'),
  '1.2.840.10045.4.3.3': ecdsa('sha384'),
  '1.2.840.10045.4.3.4': ecdsa('sha512'),
  '1.3.101.112': { hash: null, failure: 'x509: Ed25519 verification failure' },
};
/**
 * Signatures of this algorithm are not verified here: the hash is in the parameters, and the signer verifies the
 * signature.
 */
const rsaPss = '1.2.840.113549.1.1.10';

/** Returns the problem of a certificate request in base64 of PEM. Undefined when its signature is valid. */
export function certificateRequestProblem(request: string | undefined): string | undefined {
  try {
    const decoded = decodePemRequest(request ?? '');
    return decoded === undefined ? 'PEM block type must be CERTIFICATE REQUEST' : signatureProblem(decoded);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

/** Returns the problem of the signature of a request, or undefined when it is valid. */
export function signatureProblem({ signed, key: { whole }, algorithm, signature }: DecodedRequest): string | undefined {
  if (algorithm === rsaPss) return undefined;
  const known = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  const key = parsePublicKey(whole);
  if (known === undefined || key === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  return isSignedBy(key, { signed, hash: known.hash, signature }) ? undefined : known.failure;
}

function isSignedBy(
  key: KeyObject,
  { signed, hash, signature }: { signed: Buffer; hash: string | null; signature: Buffer },
): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    // The type of the key does not match the algorithm.
    return false;
  }
}
