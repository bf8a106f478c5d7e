import type { KeyObject } from 'node:crypto';
import type { ResourceObject } from '../../meta/object.ts';
import type { Condition } from '../validation/condition-validation.ts';
import { DerError } from './der-reader.ts';
import { derRequestParts, type RequestParts } from './request-parts.ts';
import { subjectKey } from './subject-key.ts';

export interface PodRequestSpec {
  readonly signerName?: string;
  readonly podName?: string;
  readonly podUID?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountUID?: string;
  readonly nodeName?: string;
  readonly nodeUID?: string;
  readonly maxExpirationSeconds?: number;
  /** These are base64 of DER. */
  readonly pkixPublicKey?: string | null;
  readonly proofOfPossession?: string | null;
  readonly stubPKCS10Request?: string | null;
  readonly unverifiedUserAnnotations?: Readonly<Record<string, string>>;
}

export interface PodRequestStatus {
  readonly conditions?: readonly Condition[];
  readonly certificateChain?: string;
  readonly notBefore?: string;
  readonly beginRefreshAt?: string;
  readonly notAfter?: string;
}

/** With each of them a request is done with. */
export const finalConditions: readonly string[] = ['Issued', 'Denied', 'Failed'];

export const podRequestSpecOf = ({ spec }: ResourceObject): PodRequestSpec =>
  (spec as PodRequestSpec | undefined) ?? {};
export const podRequestStatusOf = ({ status }: ResourceObject): PodRequestStatus =>
  (status as PodRequestStatus | undefined) ?? {};

export function derOf(text: string | null | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}

/** Undefined when it cannot be read. */
export function stubRequest(der: Buffer): RequestParts | undefined {
  try {
    return derRequestParts(der);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** The key for which the certificate is to be, in whichever of the two forms it was sent. */
export function requestedKey({ pkixPublicKey, stubPKCS10Request }: PodRequestSpec): KeyObject | undefined {
  const stub = derOf(stubPKCS10Request);
  if (stub.length === 0) return subjectKey(derOf(pkixPublicKey));
  const parts = stubRequest(stub);
  return parts && subjectKey(parts.key.whole);
}
