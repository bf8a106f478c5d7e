import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

const renewalMargin = 30 * 24 * 60 * 60 * 1000;

/** False when the certificate has expired, will do so within 30 days, or is not valid yet. */
export function isFresh(certificate: X509Certificate, now: Date): boolean {
  const time = now.getTime();
  return Date.parse(certificate.validFrom) <= time && time + renewalMargin < Date.parse(certificate.validTo);
}

export function isIssuedBy(certificate: X509Certificate, ca: X509Certificate): boolean {
  return certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
}

/** Whether the certificate names every one of the hosts, which are in lower case. */
export function coversHosts(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const names = new Set((certificate.subjectAltName ?? '').toLowerCase().split(', '));
  return hosts.every((host) => (isIP(host) === 0 ? names.has(`dns:${host}`) : certificate.checkIP(host) !== undefined));
}
