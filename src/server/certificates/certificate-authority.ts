import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension, X509Certificate, X509CertificateCreateParamsName } from '@peculiar/x509';
import type { KeyPair } from './key-pair.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 24 * 60 * 60 * 1000;
/** Clients whose clocks are a little behind take a new certificate, too. */
const backdate = 5 * 60 * 1000;

export interface LeafOptions {
  readonly subject: X509CertificateCreateParamsName;
  readonly usage: 'server' | 'client';
  /** Names and addresses. */
  readonly hosts?: readonly string[];
}

/** A CA with its key. It lives in memory; whoever has made it decides whether it is written somewhere. */
export class CertificateAuthority {
  /** The CA itself. */
  readonly pair: KeyPair;
  readonly #library: Library;
  readonly #certificate: X509Certificate;
  readonly #key: webcrypto.CryptoKey;
  readonly #now: Date;

  private constructor(library: Library, own: { pair: KeyPair; key: webcrypto.CryptoKey; now: Date }) {
    this.#library = library;
    this.pair = own.pair;
    this.#certificate = new library.X509Certificate(own.pair.cert);
    this.#key = own.key;
    this.#now = own.now;
  }

  /** A new one, valid for ten years. */
  static async create(now: Date): Promise<CertificateAuthority> {
    const library = await loadLibrary();
    const keys = await generateKeys();
    const certificate = await library.X509CertificateGenerator.createSelfSigned({
      serialNumber: serialNumber(),
      // The time tells one CA from the next where both are in somebody's list of trusted ones.
      name: [{ CN: [`keelson-ca@${Math.floor(now.getTime() / 1000)}`] }],
      ...validity(now, 3650),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new library.BasicConstraintsExtension(true, undefined, true),
        new library.KeyUsagesExtension(library.KeyUsageFlags.keyCertSign | library.KeyUsageFlags.cRLSign, true),
        await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const pair = { cert: pemOf(certificate), key: await exportKey(keys.privateKey) };
    return new CertificateAuthority(library, { pair, key: keys.privateKey, now });
  }

  /** One that exists already. The key must be the certificate's. */
  static async load(pair: KeyPair, now: Date): Promise<CertificateAuthority> {
    const library = await loadLibrary();
    const der = createPrivateKey(pair.key).export({ type: 'pkcs8', format: 'der' });
    const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
    return new CertificateAuthority(library, { pair, key, now });
  }

  /** A certificate with a fresh key, valid for one year. */
  async issue({ subject, usage, hosts = [] }: LeafOptions): Promise<KeyPair> {
    const library = this.#library;
    const keys = await generateKeys();
    const purpose = usage === 'server' ? library.ExtendedKeyUsage.serverAuth : library.ExtendedKeyUsage.clientAuth;
    const extensions: Extension[] = [
      new library.BasicConstraintsExtension(false, undefined, true),
      new library.KeyUsagesExtension(library.KeyUsageFlags.digitalSignature, true),
      new library.ExtendedKeyUsageExtension([purpose]),
      await library.AuthorityKeyIdentifierExtension.create(this.#certificate),
    ];
    if (hosts.length > 0) {
      const names = hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value }));
      extensions.push(new library.SubjectAlternativeNameExtension(names));
    }
    const certificate = await library.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject,
      issuer: this.#certificate.subjectName,
      ...validity(this.#now, 365),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#key,
      extensions,
    });
    return { cert: pemOf(certificate), key: await exportKey(keys.privateKey) };
  }
}

type Library = typeof import('@peculiar/x509');

/** Loaded only when something must be made: it takes longer to load than the rest of a start. */
async function loadLibrary(): Promise<Library> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return pem('PRIVATE KEY', der);
}

function pemOf(certificate: X509Certificate): string {
  return pem('CERTIFICATE', Buffer.from(certificate.rawData));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - backdate), notAfter: new Date(now.getTime() + days * day) };
}

/** Positive, as the standard wants it. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}
