import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { encodedName, encodePem, type Name, signedCertificate, subjectOf } from './certificate-encoding.ts';
import { authorityExtensions, leafExtensions } from './certificate-extensions.ts';
import type { KeyPair } from './key-pair.ts';

const day = 24 * 60 * 60 * 1000;
/** Certificates are backdated, so that clients with slow clocks accept new ones. */
const backdate = 5 * 60 * 1000;

export interface LeafOptions {
  readonly subject: Name;
  readonly usage: 'server' | 'client';
  /** DNS names and IP addresses. */
  readonly hosts?: readonly string[];
}

/** A CA with its key, in memory. The caller decides whether to store it. */
export class CertificateAuthority {
  /** The CA itself. */
  readonly pair: KeyPair;
  readonly #certificate: Buffer;
  readonly #key: KeyObject;
  readonly #now: Date;

  private constructor({ pair, key, now }: { pair: KeyPair; key: KeyObject; now: Date }) {
    this.pair = pair;
    this.#certificate = new X509Certificate(pair.cert).raw;
    this.#key = key;
    this.#now = now;
  }

  /** Creates a CA that is valid for ten years. */
  static create(now: Date, caName = 'keelson-ca'): CertificateAuthority {
    const { publicKey, privateKey } = generateKeys();
    // The time distinguishes CAs of different servers in a list of trusted CAs.
    const name = encodedName([{ type: 'CN', value: `${caName}@${Math.floor(now.getTime() / 1000)}` }]);
    const extensions = authorityExtensions(publicKey);
    const fields = { subject: name, issuer: name, publicKey, ...validity(now, 3650), extensions };
    const cert = encodePem('CERTIFICATE', signedCertificate(fields, privateKey));
    return new CertificateAuthority({ pair: { cert, key: exported(privateKey) }, key: privateKey, now });
  }

  /** Loads an existing CA. The key must match the certificate. */
  static load(pair: KeyPair, now: Date): CertificateAuthority {
    return new CertificateAuthority({ pair, key: createPrivateKey(pair.key), now });
  }

  /** Issues a certificate with a new key, valid for one year. */
  issue({ subject, usage, hosts = [] }: LeafOptions): KeyPair {
    const { publicKey, privateKey } = generateKeys();
    const certificate = signedCertificate(
      {
        subject: encodedName(subject),
        issuer: subjectOf(this.#certificate),
        publicKey,
        ...validity(this.#now, 365),
        extensions: leafExtensions({ usage, hosts, issuer: this.#certificate }),
      },
      this.#key,
    );
    return { cert: encodePem('CERTIFICATE', certificate), key: exported(privateKey) };
  }
}

function generateKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function exported(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - backdate), notAfter: new Date(now.getTime() + days * day) };
}
