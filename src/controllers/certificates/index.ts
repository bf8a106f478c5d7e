/**
 * Requests for certificates: approving those of nodes, signing what has been approved, and taking away what is over. How a
 * certificate is made is not known here.
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
  /** Without any, nothing is signed here. */
  readonly issuers: CertificateIssuers;
}

export function certificateControllers({ readIdentity, issuers }: CertificateControllersOptions): Controller[] {
  return [signingController(issuers, readIdentity), approvingController(readIdentity), cleanerController()];
}
