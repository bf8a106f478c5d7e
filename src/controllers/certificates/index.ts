/**
 * CertificateSigningRequests: approval of those of kubelets, signing of approved requests, and cleanup. The issuer
 * encodes and signs the certificates.
 */
import type { Controller } from '../controller.ts';
import { approvingController } from './approving-controller.ts';
import type { IdentityReader } from './certificate-issuer.ts';
import { cleanerController } from './cleaner-controller.ts';
import { type CertificateIssuers, signingController } from './signing-controller.ts';

export type { CertificateIssuer, IdentityReader, IssueRequest, RequestedIdentity } from './certificate-issuer.ts';
export { standardSigners } from './signer-rules.ts';
export type { CertificateIssuers } from './signing-controller.ts';

export interface CertificateControllersOptions {
  readonly readIdentity: IdentityReader;
  /** Without issuers, no certificates are signed. */
  readonly issuers: CertificateIssuers;
}

export function certificateControllers({ readIdentity, issuers }: CertificateControllersOptions): Controller[] {
  return [signingController(issuers, readIdentity), approvingController(readIdentity), cleanerController()];
}
