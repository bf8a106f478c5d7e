import type { RequestedIdentity } from '../../controllers/certificates/index.ts';
import { parseCertificateRequest } from './certificate-request.ts';

/** Whom a request (base64 of PEM) is for. Throws a `CertificateRequestError` when it says nothing or proves nothing. */
export function requestedIdentity(request: string): RequestedIdentity {
  const { subject, alternativeNames } = parseCertificateRequest(request);
  const valuesOf = (wanted: string) => subject.filter(({ type }) => type === wanted).map(({ value }) => value);
  return {
    commonName: valuesOf('CN')[0] ?? '',
    organizations: valuesOf('O'),
    alternativeNames: new Set(alternativeNames.map(({ kind }) => kind)),
  };
}
