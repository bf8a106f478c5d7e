import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { CertificateAuthority } from '../pki/certificate-authority.ts';

/** A certificate, followed by intermediate ones, and its key, both in PEM. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
}

const renewalMs = 30 * 24 * 60 * 60 * 1000;

/** A serving certificate of a CA that exists only in this process. */
export class OwnCertificate {
  readonly #authority: CertificateAuthority;
  readonly #hosts: readonly string[];
  #pair: ServingCertificate;

  /** `hosts` are names and addresses at which clients reach the server, in addition to those of this machine. */
  constructor(hosts: readonly string[]) {
    this.#authority = CertificateAuthority.create(new Date());
    const all = ['localhost', '127.0.0.1', '::1', hostname(), ...hosts].map((host) => host.toLowerCase());
    this.#hosts = [...new Set(all)].filter((host) => /^[a-z0-9.:*_-]+$/.test(host));
    this.#pair = this.#issue(new Date());
  }

  get pair(): ServingCertificate {
    return this.#pair;
  }

  /** The CA (PEM) by which clients verify the certificate. */
  get ca(): string {
    return this.#authority.pair.cert;
  }

  /** Issues another certificate when this one expires within a month. Returns whether it did. */
  renew(now: Date): boolean {
    if (Date.parse(new X509Certificate(this.#pair.cert).validTo) - now.getTime() > renewalMs) return false;
    this.#pair = this.#issue(now);
    return true;
  }

  #issue(now: Date): ServingCertificate {
    return CertificateAuthority.load(this.#authority.pair, now).issue({
      subject: [{ type: 'CN', value: 'extension-apiserver' }],
      usage: 'server',
      hosts: this.#hosts,
    });
  }
}
