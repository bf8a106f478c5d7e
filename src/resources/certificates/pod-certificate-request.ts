import type { KeyObject } from 'node:crypto';
import type { ResourceObject } from '../../meta/object.ts';
import { type DecodedRequest, decodeDerRequest } from '../../pki/decode-request.ts';
import { DerError } from '../../pki/der-reader.ts';
import { parsePublicKey } from '../../pki/subject-key.ts';
import type { PodCertificateRequestSpec, PodCertificateRequestStatus } from './pod-certificate-request-types.ts';

/** Each of these conditions ends the processing of a request. */
export const finalConditions: readonly string[] = ['Issued', 'Denied', 'Failed'];

export const podRequestSpecOf = ({ spec }: ResourceObject): PodCertificateRequestSpec =>
  (spec as PodCertificateRequestSpec | undefined) ?? {};
export const podRequestStatusOf = ({ status }: ResourceObject): PodCertificateRequestStatus =>
  (status as PodCertificateRequestStatus | undefined) ?? {};

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
export function requestedKey({ pkixPublicKey, stubPKCS10Request }: PodCertificateRequestSpec): KeyObject | undefined {
  const stub = derOf(stubPKCS10Request);
  if (stub.length === 0) return parsePublicKey(derOf(pkixPublicKey));
  const request = stubRequest(stub);
  return request && parsePublicKey(request.key.whole);
}
