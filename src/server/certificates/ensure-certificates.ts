import type { X509Certificate } from 'node:crypto';
import { CertificateAuthority, type LeafOptions } from './certificate-authority.ts';
import { CertificateDirectory, type CertificateStore, noStore, type StoredPair } from './certificate-store.ts';
import { type KeyPair, keyMatches, parseCertificate } from './key-pair.ts';
import { coversHosts, isFresh, isIssuedBy } from './usable.ts';

export interface CertificateOptions {
  /** Where the certificates are kept. Absent: they live in memory only. */
  readonly directory?: string;
  /** The names and addresses that the serving certificate must hold, in lower case. */
  readonly hosts: readonly string[];
  readonly now?: Date;
}

/** All in PEM form. */
export interface Certificates {
  readonly caCert: string;
  /** Undefined when somebody has taken it away: then nothing can be signed any more. Nobody has looked whether it is the CA's. */
  readonly caKey: string | undefined;
  readonly servingCert: string;
  readonly servingKey: string;
  readonly adminCert: string;
  readonly adminKey: string;
}

/**
 * The server's certificates: those in the directory where they serve, new ones where they are missing, expired, about to
 * expire, or do not cover the hosts. A file that holds something else than it should is an error and is never replaced:
 * it may be somebody's.
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

/** The stored CA, which becomes one that can sign only when something must be signed. */
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

  /** Finds the CA usable or makes a new one. */
  async prepare(): Promise<void> {
    const { cert } = this.#files;
    // A key without a certificate is a first start that did not come to its end: nothing has been signed yet.
    if (cert === undefined) return this.#renew();
    const certificate = parseCertificate(cert, this.#store.describe('ca', 'cert'));
    if (!isFresh(certificate, this.#now)) return this.#renew();
    this.#use(cert, certificate);
  }

  /** The stored pair if it still serves, else a new one, which is stored. */
  async leaf(name: string, files: StoredPair, wanted: LeafOptions): Promise<KeyPair> {
    const { cert, key } = files;
    if (cert !== undefined && key !== undefined && this.#serves(name, { cert, key }, wanted)) return { cert, key };
    const pair = this.#signing().issue(wanted);
    await this.#store.write(name, pair);
    return pair;
  }

  #serves(name: string, { cert, key }: KeyPair, { hosts = [] }: LeafOptions): boolean {
    const certificate = parseCertificate(cert, this.#store.describe(name, 'cert'));
    return (
      // A crash between two files may leave a new key beside an old certificate.
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
