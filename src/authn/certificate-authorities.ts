import { X509Certificate } from 'node:crypto';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Longer chains than anybody has. */
const longestChain = 8;

/**
 * A set of CAs, which may be exchanged while connections are open. That a chain holds has been judged in the handshake,
 * against all CAs of the server together; here it is found out whether it leads to one of these.
 */
export class CertificateAuthorities {
  #certificates: readonly X509Certificate[] = [];
  #pem = '';
  #generation = 0;

  /** Throws a RangeError when there is no usable certificate in the text. */
  constructor(pem: string) {
    this.replace(pem);
  }

  /** PEM. */
  get pem(): string {
    return this.#pem;
  }

  /** Grows with every exchange: what was found out before is void. */
  get generation(): number {
    return this.#generation;
  }

  replace(pem: string): void {
    const blocks = pem.match(pemCertificate) ?? [];
    if (blocks.length === 0) throw new RangeError('there is no certificate (PEM) in it');
    this.#certificates = blocks.map(parsed);
    this.#pem = blocks.join('\n');
    this.#generation++;
  }

  /** Whether the certificate leads to one of the CAs, by itself or through those that were shown with it. */
  haveIssued(certificate: X509Certificate, now: number): boolean {
    let link: X509Certificate | undefined = certificate;
    for (let length = 0; link !== undefined && length < longestChain; length++) {
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
    throw new RangeError(`a certificate in it cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
