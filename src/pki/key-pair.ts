import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate and its private key, both in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Parses a certificate; `origin` names it in the error. */
export function parseCertificate(pem: string, origin: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new Error(`${origin} is not a certificate in PEM form`, { cause });
  }
}

/** Whether a private key matches the certificate; `origin` names the key in the error. */
export function keyMatches(certificate: X509Certificate, key: string, origin: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new Error(`${origin} is not a private key in PEM form`, { cause });
  }
}
