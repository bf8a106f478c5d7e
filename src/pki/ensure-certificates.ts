import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { CertificateAuthority, type LeafOptions } from './certificate-authority.ts';
import { CertificateDirectory, type CertificateStore, noStore, type StoredPair } from './certificate-store.ts';
import { type KeyPair, keyMatches, parseCertificate } from './key-pair.ts';

const renewalMargin = 30 * 24 * 60 * 60 * 1000;

export interface CertificateOptions {
  /** The directory of the certificates. Without it they live in memory only. */
  readonly directory?: string;
  /** The names and addresses that the serving certificate must cover, in lower case. */
  readonly hosts: readonly string[];
  readonly now?: Date;
}

/** All in PEM. */
export interface Certificates {
  readonly caCert: string;
  /** Undefined when the file is missing: then nothing can be signed. Not verified to match `caCert`. */
  readonly caKey: string | undefined;
  readonly servingCert: string;
  readonly servingKey: string;
  readonly adminCert: string;
  readonly adminKey: string;
}

/**
 * Loads the certificates of the server, and creates those that are missing, expired, about to expire, or do not cover
 * the hosts. A file with unexpected content is an error and is never replaced, because a user may have put it there.
 */
export async function ensureCertificates(options: CertificateOptions): Promise<Certificates> {
  const { directory, hosts, now = new Date() } = options;
  const store = directory === undefined ? noStore : new CertificateDirectory(directory);
  const [caFiles, servingFiles, adminFiles] = await Promise.all(
    ['ca', 'apiserver', 'admin'].map((name) => store.read(name)),
  );
  const authority = new Authority(store, { files: caFiles!, now });
  await authority.prepare();
  const [serving, admin] = await Promise.all([
    authority.leaf('apiserver', servingFiles!, {
      subject: [{ type: 'CN', value: 'kube-apiserver' }],
      usage: 'server',
      hosts,
    }),
    authority.leaf('admin', adminFiles!, {
      subject: [
        { type: 'O', value: 'system:masters' },
        { type: 'CN', value: 'kubernetes-admin' },
      ],
      usage: 'client',
    }),
  ]);
  return {
    caCert: authority.cert,
    caKey: authority.key,
    servingCert: serving.cert,
    servingKey: serving.key,
    adminCert: admin.cert,
    adminKey: admin.key,
  };
}

/** The stored CA. Its key is loaded only when something must be signed. */
class Authority {
  readonly #store: CertificateStore;
  readonly #files: StoredPair;
  readonly #now: Date;
  #signer: CertificateAuthority | undefined = undefined;
  #certificate: X509Certificate | undefined = undefined;
  cert = '';

  constructor(store: CertificateStore, { files, now }: { files: StoredPair; now: Date }) {
    this.#store = store;
    this.#files = files;
    this.#now = now;
  }

  get key(): string | undefined {
    return this.#signer?.pair.key ?? this.#files.key;
  }

  /** Loads the CA, or creates a new one when it is missing or about to expire. */
  async prepare(): Promise<void> {
    const { cert } = this.#files;
    // A key without a certificate is left by an interrupted first start. Nothing has been signed with it.
    if (cert === undefined) return this.#renew();
    const certificate = parseCertificate(cert, this.#store.describe('ca', 'cert'));
    if (!isFresh(certificate, this.#now)) return this.#renew();
    this.#use(cert, certificate);
  }

  /** Returns the stored pair if it is still usable, or creates and stores a new one. */
  async leaf(name: string, files: StoredPair, wanted: LeafOptions): Promise<KeyPair> {
    const { cert, key } = files;
    if (cert !== undefined && key !== undefined && this.#isUsable(name, { cert, key }, wanted)) return { cert, key };
    const pair = this.#signing().issue(wanted);
    await this.#store.write(name, pair);
    return pair;
  }

  #isUsable(name: string, { cert, key }: KeyPair, { hosts = [] }: LeafOptions): boolean {
    const certificate = parseCertificate(cert, this.#store.describe(name, 'cert'));
    return (
      // A crash between the two writes may leave a new key beside an old certificate.
      keyMatches(certificate, key, this.#store.describe(name, 'key')) &&
      isFresh(certificate, this.#now) &&
      isIssuedBy(certificate, this.#certificate!) &&
      coversHosts(certificate, hosts)
    );
  }

  #signing(): CertificateAuthority {
    this.#signer ??= this.#load();
    return this.#signer;
  }

  #load(): CertificateAuthority {
    const { key } = this.#files;
    const origin = this.#store.describe('ca', 'key');
    if (key === undefined) throw new Error(`${origin} is missing, and a new certificate has to be signed with it`);
    if (!keyMatches(this.#certificate!, key, origin)) {
      throw new Error(`${origin} is not the key of ${this.#store.describe('ca', 'cert')}`);
    }
    return CertificateAuthority.load({ cert: this.cert, key }, this.#now);
  }

  async #renew(): Promise<void> {
    this.#signer = CertificateAuthority.create(this.#now);
    const { pair } = this.#signer;
    await this.#store.write('ca', pair);
    this.#use(pair.cert, parseCertificate(pair.cert, 'the new CA'));
  }

  #use(cert: string, certificate: X509Certificate): void {
    this.cert = cert;
    this.#certificate = certificate;
  }
}

/** Whether the certificate is valid now and for at least 30 more days. */
function isFresh(certificate: X509Certificate, now: Date): boolean {
  const time = now.getTime();
  return Date.parse(certificate.validFrom) <= time && time + renewalMargin < Date.parse(certificate.validTo);
}

function isIssuedBy(certificate: X509Certificate, ca: X509Certificate): boolean {
  return certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
}

/** Whether the certificate covers all hosts, which are in lower case. */
function coversHosts(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const names = new Set((certificate.subjectAltName ?? '').toLowerCase().split(', '));
  return hosts.every((host) => (isIP(host) === 0 ? names.has(`dns:${host}`) : certificate.checkIP(host) !== undefined));
}
