import { X509Certificate } from 'node:crypto';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Longer than any chain in practice. */
const maxChainLength = 8;

/** When a certificate is valid, in milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/**
 * A set of CAs that can be replaced while connections are open. The TLS handshake verifies a chain against all CAs of
 * the server together. This class determines whether the chain ends in one of this set.
 */
export class CertificateAuthorities {
  #certificates: readonly X509Certificate[] = [];
  #pem = '';
  #generation = 0;

  /** Throws a RangeError when the text contains no usable certificate. */
  constructor(pem: string) {
    this.replace(pem);
  }

  get pem(): string {
    return this.#pem;
  }

  /** Incremented by every replacement. Results of an earlier generation are void. */
  get generation(): number {
    return this.#generation;
  }

  replace(pem: string): void {
    const blocks = pem.match(pemCertificate) ?? [];
    if (blocks.length === 0) throw new RangeError('contains no PEM certificate');
    this.#certificates = blocks.map(parsed);
    this.#pem = blocks.join('\n');
    this.#generation++;
  }

  /**
   * Returns when the certificate and its whole chain are valid. Undefined unless that includes now, and one of the CAs
   * issued the certificate, directly or through the intermediates that the client sent.
   */
  validityOf(certificate: X509Certificate, now: number): Validity | undefined {
    let validity = ownValidity(certificate);
    let link: X509Certificate | undefined = certificate;
    for (let length = 0; link !== undefined && length < maxChainLength && isWithin(validity, now); length++) {
      const issued: X509Certificate = link;
      const authority = this.#certificates.find((each) => isWithin(ownValidity(each), now) && isIssuedBy(issued, each));
      if (authority !== undefined) return overlap(validity, ownValidity(authority));
      const shown: X509Certificate | undefined = issued.issuerCertificate;
      link = shown?.ca && isIssuedBy(issued, shown) ? shown : undefined;
      if (link !== undefined) validity = overlap(validity, ownValidity(link));
    }
    return undefined;
  }
}

export function isWithin({ from, until }: Validity, now: number): boolean {
  return from <= now && now < until;
}

function ownValidity({ validFrom, validTo }: X509Certificate): Validity {
  return { from: Date.parse(validFrom), until: Date.parse(validTo) };
}

function overlap(one: Validity, other: Validity): Validity {
  return { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) };
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function parsed(block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (error) {
    throw new RangeError(`contains a malformed certificate: ${(error as Error).message}`, { cause: error });
  }
}
