import type { X509Certificate } from 'node:crypto';
import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import type { CertificateAuthorities } from './certificate-authorities.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyExtendedKeyUsage = '2.5.29.37.0';
/** The subject attribute in which Kubernetes looks for a user's uid. */
const uidAttribute = '1.3.6.1.4.1.57683.2';

export interface ClientCertificateOptions {
  /** Whose certificates stand for users. */
  readonly authorities: CertificateAuthorities;
  readonly now?: () => number;
}

/**
 * Takes the user from a client certificate that the listener trusts: the common name is the user, the organisations are
 * the groups. The result is kept on the connection until the certificate expires.
 */
export class ClientCertificateAuthenticator implements Authenticator {
  readonly #authorities: CertificateAuthorities;
  readonly #now: () => number;

  constructor({ authorities, now = Date.now }: ClientCertificateOptions) {
    this.#authorities = authorities;
    this.#now = now;
  }

  authenticate({ connection }: Credentials): UserInfo | undefined {
    const { user, userExpiresAt, userGeneration } = connection;
    if (user !== undefined) {
      if (userExpiresAt === undefined) return user;
      if (userGeneration === this.#authorities.generation && this.#now() < userExpiresAt) return user;
      connection.user = undefined;
    }
    const certificate = connection.clientCertificate;
    if (certificate === undefined) return undefined;
    if (!connection.clientCertificateTrusted || !isTrusted(certificate, this.#authorities, this.#now())) {
      throw unauthorized();
    }
    const found = userOf(certificate);
    if (found === undefined) return undefined;
    connection.user = found;
    connection.userExpiresAt = Date.parse(certificate.validTo);
    connection.userGeneration = this.#authorities.generation;
    return found;
  }
}

/** The listener has checked the validity when the connection began, which may be long ago. */
export function isTrusted(certificate: X509Certificate, authorities: CertificateAuthorities, now: number): boolean {
  return isForClients(certificate) && now < Date.parse(certificate.validTo) && authorities.haveIssued(certificate, now);
}

/** A certificate that names no purpose at all is good for every one, as in kube-apiserver. */
function isForClients(certificate: X509Certificate): boolean {
  const purposes = certificate.keyUsage as string[] | undefined;
  return purposes === undefined || purposes.includes(clientAuth) || purposes.includes(anyExtendedKeyUsage);
}

type Subject = Record<string, string | string[] | undefined>;

/** Undefined for a certificate without a common name: it says nothing about a user. */
function userOf(certificate: X509Certificate): UserInfo | undefined {
  // The legacy object holds the attributes' values as they are; the `subject` text has them escaped.
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

/** Empty when there is none. */
export function commonNameOf(certificate: X509Certificate): string {
  return valuesOf((certificate.toLegacyObject().subject as unknown as Subject).CN).at(-1) ?? '';
}

function valuesOf(attribute: string | string[] | undefined): string[] {
  return attribute === undefined ? [] : Array.isArray(attribute) ? attribute : [attribute];
}
