import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { DerError } from './der-reader.ts';
import { type RequestParts, requestParts } from './request-parts.ts';

interface SignatureAlgorithm {
  /** Null where the algorithm has a hash of its own. */
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
/** Its parameters say how, and whoever signs the certificate reads them. */
const rsaPss = '1.2.840.113549.1.1.10';

/** What is wrong with a request for a certificate, as base64 of PEM. Undefined when its signature proves its key. */
export function certificateRequestProblem(request: string | undefined): string | undefined {
  try {
    const parts = requestParts(request ?? '');
    return parts === undefined ? 'PEM block type must be CERTIFICATE REQUEST' : signatureProblem(parts);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function publicKey(key: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** What is wrong with the signature of a request; undefined when it proves the key. */
export function signatureProblem({ signed, key: { whole }, algorithm, signature }: RequestParts): string | undefined {
  if (algorithm === rsaPss) return undefined;
  const known = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  const key = publicKey(whole);
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
    // A key of another kind than the algorithm.
    return false;
  }
}
