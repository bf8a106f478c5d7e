/**
 * The certificates of the server: a CA, a serving certificate and the admin client certificate, stored in the data
 * directory and renewed at start; the admin kubeconfig; and the signing of certificate requests of others. Serving
 * certificates of users are passed to the listener directly.
 */
export { type AdminKubeconfig, adminKubeconfig, writeKubeconfig } from './admin-kubeconfig.ts';
export { requestedIdentity } from './certificate-request.ts';
export {
  type CertificateOptions,
  type Certificates,
  ensureCertificates,
  ensureFrontProxyCertificates,
  type FrontProxyCertificates,
  frontProxyName,
} from './ensure-certificates.ts';
export { RequestSigner, type RequestSignerOptions } from './request-signer.ts';
export { servingHosts } from './serving-hosts.ts';
