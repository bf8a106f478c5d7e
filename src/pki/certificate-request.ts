import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { RequestedIdentity } from '../controllers/certificates/index.ts';
import type { Name } from './certificate-encoding.ts';
import { certificateRequestProblem } from './certificate-request-problem.ts';
import { type DecodedRequest, decodePemRequest } from './decode-request.ts';
import { DerError, sequenceTag } from './der-reader.ts';
import { type AlternativeName, requestedNames } from './requested-names.ts';
import { pssHash } from './rsa-pss.ts';

/** The content of a certificate request. */
export interface CertificateRequest {
  readonly publicKey: KeyObject;
  readonly subject: Name;
  readonly alternativeNames: readonly AlternativeName[];
}

/** The request is invalid; a retry does not help. */
export class CertificateRequestError extends Error {}

const rsaPss = '1.2.840.113549.1.1.10';
const minRsaBits = 1024;
const curves: ReadonlySet<string | undefined> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);

/** Parses a request (base64 of PEM) and verifies that its signature matches its key. */
export function parseCertificateRequest(request: string): CertificateRequest {
  const problem = certificateRequestProblem(request);
  if (problem !== undefined) throw new CertificateRequestError(problem);
  try {
    return parsed(decodePemRequest(request)!);
  } catch (error) {
    throw error instanceof DerError ? new CertificateRequestError(error.message) : error;
  }
}

/** Parses the identity in a request (base64 of PEM). Throws a `CertificateRequestError` for an invalid request. */
export function requestedIdentity(request: string): RequestedIdentity {
  const { subject, alternativeNames } = parseCertificateRequest(request);
  const valuesOf = (wanted: string) => subject.filter(({ type }) => type === wanted).map(({ value }) => value);
  return {
    commonName: valuesOf('CN')[0] ?? '',
    organizations: valuesOf('O'),
    alternativeNames: new Set(alternativeNames.map(({ kind }) => kind)),
  };
}

function parsed({ key, subject, rest, algorithm, parameters, signed, signature }: DecodedRequest): CertificateRequest {
  const publicKey = acceptedKey(key.whole);
  if (algorithm === rsaPss) {
    const hash = parameters.atEnd ? undefined : pssHash(parameters.next(sequenceTag).whole);
    checkPss({ publicKey, hash, signed, signature });
  }
  return { publicKey, ...requestedNames(subject, rest) };
}

/** Accepts the kinds of keys that Go supports. */
function acceptedKey(spki: Buffer): KeyObject {
  const key = publicKeyOf(spki);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength >= minRsaBits) return key;
      throw new CertificateRequestError(`${modulusLength}-bit RSA keys are insecure`);
    case 'ec':
      if (curves.has(namedCurve)) return key;
      throw new CertificateRequestError('x509: unsupported elliptic curve');
    case 'ed25519':
      return key;
    default:
      throw new CertificateRequestError(`x509: unsupported public key of type ${key.asymmetricKeyType}`);
  }
}

function publicKeyOf(spki: Buffer): KeyObject {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch (cause) {
    throw new CertificateRequestError('x509: malformed public key', { cause });
  }
}

interface PssSignature {
  readonly publicKey: KeyObject;
  /** Undefined for an unsupported algorithm. */
  readonly hash: string | undefined;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

function checkPss({ publicKey, hash, signed, signature }: PssSignature): void {
  if (hash === undefined || publicKey.asymmetricKeyType !== 'rsa') {
    throw new CertificateRequestError('x509: cannot verify signature: algorithm unimplemented');
  }
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const key = { key: publicKey, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  if (!verify(hash, signed, key, signature)) throw new CertificateRequestError('crypto/rsa: verification error');
}
