import type { KeyObject } from 'node:crypto';
import type { ResourceObject } from '../../meta/object.ts';
import { type DecodedRequest, decodeDerRequest } from '../../pki/decode-request.ts';
import { DerError } from '../../pki/der-reader.ts';
import { parsePublicKey } from '../../pki/subject-key.ts';
import type { Condition } from '../validation/condition-validation.ts';

export interface PodRequestSpec {
  readonly signerName?: string;
  readonly podName?: string;
  readonly podUID?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountUID?: string;
  readonly nodeName?: string;
  readonly nodeUID?: string;
  readonly maxExpirationSeconds?: number;
  /** The key, the proof and the request are base64 of DER. */
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

/** Each of these conditions ends the processing of a request. */
export const finalConditions: readonly string[] = ['Issued', 'Denied', 'Failed'];

export const podRequestSpecOf = ({ spec }: ResourceObject): PodRequestSpec =>
  (spec as PodRequestSpec | undefined) ?? {};
export const podRequestStatusOf = ({ status }: ResourceObject): PodRequestStatus =>
  (status as PodRequestStatus | undefined) ?? {};

export function derOf(text: string | null | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}

/** Returns undefined when the request is malformed. */
export function stubRequest(der: Buffer): DecodedRequest | undefined {
  try {
    return decodeDerRequest(der);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** Returns the public key to certify, from whichever of the two fields is set. */
export function requestedKey({ pkixPublicKey, stubPKCS10Request }: PodRequestSpec): KeyObject | undefined {
  const stub = derOf(stubPKCS10Request);
  if (stub.length === 0) return parsePublicKey(derOf(pkixPublicKey));
  const request = stubRequest(stub);
  return request && parsePublicKey(request.key.whole);
}
