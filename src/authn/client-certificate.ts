import type { X509Certificate } from 'node:crypto';
import type { Histogram } from '../meta/meter.ts';
import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { type CertificateAuthorities, isWithin, type Validity } from './certificate-authorities.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyExtendedKeyUsage = '2.5.29.37.0';
/** The subject attribute that holds a user's uid in Kubernetes. */
const uidAttribute = '1.3.6.1.4.1.57683.2';

export interface ClientCertificateOptions {
  /** CAs whose certificates identify users. */
  readonly authorities: CertificateAuthorities;
  /** Default: the time of the machine, which TLS uses, too. */
  readonly now?: () => number;
  /** Receives the remaining validity of used certificates in seconds, once for each connection. */
  readonly lifetimes?: Histogram;
}

/**
 * Authenticates client certificates that the listener trusts. The common name is the user, the organizations are the
 * groups. The result is cached on the connection while the certificate and its chain are valid.
 */
export class ClientCertificateAuthenticator implements Authenticator {
  readonly #authorities: CertificateAuthorities;
  readonly #now: () => number;
  readonly #lifetimes: Histogram | undefined;

  constructor({ authorities, now = Date.now, lifetimes }: ClientCertificateOptions) {
    this.#authorities = authorities;
    this.#now = now;
    this.#lifetimes = lifetimes;
  }

  authenticate({ connection }: Credentials): UserInfo | undefined {
    const { user, userValidity, userGeneration } = connection;
    const now = this.#now();
    if (user !== undefined) {
      if (userValidity === undefined) return user;
      if (userGeneration === this.#authorities.generation && isWithin(userValidity, now)) return user;
      connection.user = undefined;
    }
    const certificate = connection.clientCertificate;
    if (certificate === undefined) return undefined;
    const validity = connection.clientCertificateTrusted
      ? trustedValidity(certificate, this.#authorities, now)
      : undefined;
    if (validity === undefined) throw unauthorized();
    const found = userOf(certificate);
    if (found === undefined) return undefined;
    connection.user = found;
    connection.userValidity = validity;
    this.#lifetimes?.observe((Date.parse(certificate.validTo) - now) / 1000);
    connection.userGeneration = this.#authorities.generation;
    return found;
  }
}

/**
 * Returns when the certificate identifies a client, or undefined unless that includes now. Checks the validity again,
 * because the handshake may be long ago.
 */
export function trustedValidity(
  certificate: X509Certificate,
  authorities: CertificateAuthorities,
  now: number,
): Validity | undefined {
  return isForClients(certificate) ? authorities.validityOf(certificate, now) : undefined;
}

/** A certificate without extended key usage may be used for every purpose, as in kube-apiserver. */
function isForClients(certificate: X509Certificate): boolean {
  const purposes = certificate.keyUsage as string[] | undefined;
  return purposes === undefined || purposes.includes(clientAuth) || purposes.includes(anyExtendedKeyUsage);
}

type Subject = Record<string, string | string[] | undefined>;

/** Returns undefined for a certificate without a common name, which identifies no user. */
function userOf(certificate: X509Certificate): UserInfo | undefined {
  // The legacy object has the raw attribute values; in the `subject` string they are escaped.
  const subject = certificate.toLegacyObject().subject as unknown as Subject;
  const name = valuesOf(subject.CN).at(-1);
  if (name === undefined || name === '') return undefined;
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    name,
    uid: valuesOf(subject[uidAttribute]).at(-1) ?? '',
    groups: [...valuesOf(subject.O).filter((group) => group !== 'system:authenticated'), 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  };
}

/** Returns an empty string when there is none. */
export function commonNameOf(certificate: X509Certificate): string {
  return valuesOf((certificate.toLegacyObject().subject as unknown as Subject).CN).at(-1) ?? '';
}

function valuesOf(attribute: string | string[] | undefined): string[] {
  return attribute === undefined ? [] : Array.isArray(attribute) ? attribute : [attribute];
}
