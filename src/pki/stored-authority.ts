import type { X509Certificate } from 'node:crypto';
import { addressFamily } from '../meta/address-family.ts';
import { CertificateAuthority, type LeafOptions } from './certificate-authority.ts';
import type { CertificateStore, StoredPair } from './certificate-store.ts';
import { type KeyPair, keyMatches, parseCertificate } from './key-pair.ts';

const renewalMargin = 30 * 24 * 60 * 60 * 1000;

/** A stored CA. Its key is loaded only when something must be signed. */
export class StoredAuthority {
  readonly #store: CertificateStore;
  readonly #name: string;
  readonly #files: StoredPair;
  readonly #now: Date;
  #signer: CertificateAuthority | undefined = undefined;
  #certificate: X509Certificate | undefined = undefined;
  #written: Promise<void> | undefined = undefined;
  cert = '';

  private constructor(store: CertificateStore, { name, files, now }: { name: string; files: StoredPair; now: Date }) {
    this.#store = store;
    this.#name = name;
    this.#files = files;
    this.#now = now;
  }

  /**
   * Loads the CA, or creates a new one when it is missing or about to expire. A new one can be used before it is
   * `written`: certificates of a CA that has been lost in a crash are created again.
   */
  static async load(store: CertificateStore, { name, now }: { name: string; now: Date }): Promise<StoredAuthority> {
    const authority = new StoredAuthority(store, { name, files: await store.read(name), now });
    authority.#prepare();
    return authority;
  }

  /** Settles when a new CA is stored. Undefined if the CA is not new. */
  get written(): Promise<void> | undefined {
    return this.#written;
  }

  get key(): string | undefined {
    return this.#signer?.pair.key ?? this.#files.key;
  }

  #prepare(): void {
    const { cert } = this.#files;
    // A key without a certificate is left by an interrupted first start. Nothing has been signed with it.
    if (cert !== undefined) {
      const certificate = parseCertificate(cert, this.#store.describe(this.#name, 'cert'));
      if (isFresh(certificate, this.#now)) {
        this.#use(cert, certificate);
        return;
      }
    }
    this.#renew();
  }

  /** Returns the stored pair if it is still usable, or creates and stores a new one. */
  async leaf(name: string, wanted: LeafOptions): Promise<KeyPair> {
    const { cert, key } = await this.#store.read(name);
    if (cert !== undefined && key !== undefined && this.#isUsable(name, { cert, key }, wanted)) return { cert, key };
    const pair = this.#signing().issue(wanted);
    await this.#store.write(name, pair);
    return pair;
  }

  #isUsable(name: string, { cert, key }: KeyPair, { hosts = [] }: LeafOptions): boolean {
    const certificate = parseCertificate(cert, this.#store.describe(name, 'cert'));
    return (
      // A crash between the two writes may leave a new key with an old certificate.
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
    const origin = this.#store.describe(this.#name, 'key');
    if (key === undefined) throw new Error(`${origin} is missing, and a new certificate has to be signed with it`);
    if (!keyMatches(this.#certificate!, key, origin)) {
      throw new Error(`${origin} is not the key of ${this.#store.describe(this.#name, 'cert')}`);
    }
    return CertificateAuthority.load({ cert: this.cert, key }, this.#now);
  }

  #renew(): void {
    this.#signer = CertificateAuthority.create(this.#now, `keelson-${this.#name}`);
    const { pair } = this.#signer;
    this.#use(pair.cert, parseCertificate(pair.cert, 'the new CA'));
    this.#written = this.#store.write(this.#name, pair);
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
  return hosts.every((host) =>
    addressFamily(host) === 0 ? names.has(`dns:${host}`) : certificate.checkIP(host) !== undefined,
  );
}
