import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { CertificateIssuer, IssueRequest } from '../controllers/certificates/index.ts';
import { encodedName, encodePem, signedCertificate, subjectOf } from './certificate-encoding.ts';
import { alternativeNamesExtension, subordinateExtensions } from './certificate-extensions.ts';
import { parseCertificateRequest } from './certificate-request.ts';
import { usageExtensions } from './certificate-usages.ts';
import type { KeyPair } from './key-pair.ts';

const minute = 60_000;
/** Certificates are backdated, so that clients with slow clocks accept new ones. */
const backdate = 5 * minute;
/** Shorter lifetimes are not reduced by the backdating. */
const shortLifetime = 8 * 60 * minute;
const minDurationMs = 10 * minute;
const defaultDuration = 365 * 24 * 60 * minute;

export interface RequestSignerOptions {
  /** The CA. */
  readonly pair: KeyPair;
  /** The maximum lifetime of certificates. Default: one year. */
  readonly durationMs?: number;
  readonly now?: () => number;
}

/** Signs certificate requests with a CA. */
export class RequestSigner implements CertificateIssuer {
  readonly #duration: number;
  readonly #now: () => number;
  #authority: Authority;

  /** Throws a RangeError when the pair is not a CA with its key. */
  constructor({ pair, durationMs = defaultDuration, now = Date.now }: RequestSignerOptions) {
    if (!(durationMs > 0)) throw new RangeError('the duration of signed certificates must be positive');
    this.#authority = authorityOf(pair);
    this.#duration = durationMs;
    this.#now = now;
  }

  /** Replaces the CA. Throws like the constructor and keeps the old CA then. */
  replace(pair: KeyPair): void {
    this.#authority = authorityOf(pair);
  }

  async sign({ request, usages, expirationSeconds }: IssueRequest): Promise<string> {
    const { publicKey, subject, alternativeNames } = parseCertificateRequest(request);
    const { certificate, key } = this.#authority;
    const names = alternativeNames.map(({ whole }) => whole);
    const fields = {
      subject: encodedName(subject),
      issuer: subjectOf(certificate),
      publicKey,
      ...this.#validity(expirationSeconds),
      extensions: [
        ...usageExtensions(usages),
        ...subordinateExtensions(certificate),
        ...(names.length > 0 ? [alternativeNamesExtension(names, { critical: subject.length === 0 })] : []),
      ],
    };
    return encodePem('CERTIFICATE', signedCertificate(fields, key));
  }

  #validity(expirationSeconds: number | undefined): { notBefore: Date; notAfter: Date } {
    const now = this.#now();
    const { end } = this.#authority;
    if (now >= end) throw new Error(`the certificate of the signer has expired: ${new Date(end).toISOString()}`);
    const wanted = expirationSeconds === undefined ? this.#duration : Math.max(expirationSeconds * 1000, minDurationMs);
    const duration = Math.min(wanted, this.#duration);
    const notAfter = now + (duration < shortLifetime ? duration : duration - backdate);
    return { notBefore: new Date(now - backdate), notAfter: new Date(Math.min(notAfter, end)) };
  }
}

interface Authority {
  /** DER. */
  readonly certificate: Buffer;
  readonly key: KeyObject;
  /** In milliseconds since 1970. */
  readonly end: number;
}

function authorityOf({ cert, key }: KeyPair): Authority {
  const count = cert.match(/^-----BEGIN CERTIFICATE-----/gm)?.length ?? 0;
  if (count !== 1) throw new RangeError(`error reading CA cert file: expected 1 certificate, found ${count}`);
  const certificate = readOr(
    'error reading CA cert file: not a certificate in PEM form',
    () => new X509Certificate(cert),
  );
  const privateKey = readOr('error reading CA key file: not a private key in PEM form', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new RangeError('error reading CA key file: it is not the key of the CA certificate');
  }
  return { certificate: certificate.raw, key: privateKey, end: Date.parse(certificate.validTo) };
}

/** Errors of the parser may quote the key, so they are replaced by a fixed text. */
function readOr<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new RangeError(problem);
  }
}
