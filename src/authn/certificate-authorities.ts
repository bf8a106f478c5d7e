import { X509Certificate } from 'node:crypto';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Longer than any chain in practice. */
const maxChainLength = 8;

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

  /** Whether one of the CAs issued the certificate, directly or through the intermediates that the client sent. */
  haveIssued(certificate: X509Certificate, now: number): boolean {
    let link: X509Certificate | undefined = certificate;
    for (let length = 0; link !== undefined && length < maxChainLength; length++) {
      const issued: X509Certificate = link;
      if (this.#certificates.some((authority) => isIssuedBy(issued, authority, now))) return true;
      const shown: X509Certificate | undefined = issued.issuerCertificate;
      link = shown?.ca && isIssuedBy(issued, shown, now) ? shown : undefined;
    }
    return false;
  }
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate, now: number): boolean {
  if (now < Date.parse(authority.validFrom) || now >= Date.parse(authority.validTo)) return false;
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function parsed(block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (error) {
    throw new RangeError(`contains a malformed certificate: ${(error as Error).message}`, { cause: error });
  }
}
