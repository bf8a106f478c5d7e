/**
 * The certificates that the server makes for itself: a CA, a serving certificate and the administrator's client
 * certificate, kept in a folder of the data directory and renewed when the server starts, and the kubeconfig that carries
 * the latter to kubectl; and the certificates that others ask for, signed with that CA or another. Certificates that users
 * bring are passed to the listener as they are and never come here.
 */
export { type AdminKubeconfig, adminKubeconfig, writeKubeconfig } from './admin-kubeconfig.ts';
export { type CertificateOptions, type Certificates, ensureCertificates } from './ensure-certificates.ts';
export { RequestSigner, type RequestSignerOptions } from './request-signer.ts';
export { requestedIdentity } from './requested-identity.ts';
export { loadServiceAccountKeys } from './service-account-key.ts';
export { servingHosts } from './serving-hosts.ts';
