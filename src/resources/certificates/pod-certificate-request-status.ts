import type { X509Certificate } from 'node:crypto';
import { type FieldError, invalidValue, notSupportedValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { nextPemBlock } from '../../pki/pem.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { isSameValue } from '../validation/immutable.ts';
import { invalidWithoutValue } from '../validation/invalid-without-value.ts';
import { finalConditions, podRequestSpecOf, podRequestStatusOf, requestedKey } from './pod-certificate-request.ts';
import type { PodCertificateRequestStatus } from './pod-certificate-request-types.ts';
import { certificateOf } from './trust-anchors.ts';

const maxChainBytes = 100 * 1024;
const minute = 60 * 1000;
const chainField = 'status.certificateChain';

/** A request becomes issued, denied or failed once. After that its status is immutable. */
export function validatePodRequestStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const status = podRequestStatusOf(next);
  const { conditions = [] } = status;
  const errors = [...validateKinds(status), ...validateConditions(conditions, 'status.conditions')];
  if (errors.length > 0) return errors;
  const before = podRequestStatusOf(oldObject);
  if (finalOf(before) !== undefined) {
    const detail = 'immutable after PodCertificateRequest is issued, denied, or failed';
    return isSameValue(status, before) ? [] : [invalidWithoutValue('status', detail)];
  }
  const final = finalOf(status);
  if (final === 'Issued') return validateIssued(next, status);
  if (final !== undefined) {
    const detail = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    return isSameValue(status, { conditions }) ? [] : [invalidWithoutValue('status', detail)];
  }
  const detail = 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"';
  return isSameValue(status, before) ? [] : [invalidWithoutValue('status', detail)];
}

function finalOf({ conditions = [] }: PodCertificateRequestStatus): string | undefined {
  return conditions.find(({ type = '', status }) => finalConditions.includes(type) && status === 'True')?.type;
}

function validateKinds({ conditions = [] }: PodCertificateRequestStatus): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const field = `status.conditions.[${index}]`;
    if (!finalConditions.includes(type)) {
      errors.push(notSupportedValue(`${field}.type`, type, finalConditions));
      continue;
    }
    if (++count > 1) {
      const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      errors.push(invalidValue(`${field}.type`, type, detail));
    }
    if (status !== 'True') errors.push(notSupportedValue(`${field}.status`, status, ['True']));
  }
  return errors;
}

function validateIssued(request: ResourceObject, status: PodCertificateRequestStatus): FieldError[] {
  const { certificateChain: chain = '' } = status;
  if (Buffer.byteLength(chain) > maxChainBytes) return [tooLong(chainField, maxChainBytes)];
  const problem = (detail: string): FieldError[] => [invalidValue(chainField, chain, detail)];
  const leafBlock = nextPemBlock(chain);
  if (leafBlock === undefined) return problem('issued certificate chain must contain at least one certificate');
  if (leafBlock.type !== 'CERTIFICATE') {
    return problem('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  const leaf = certificateOf(leafBlock.bytes);
  if (leaf === undefined) return problem('leaf certificate does not parse as valid X.509');
  const key = requestedKey(podRequestSpecOf(request));
  if (key === undefined || !leaf.publicKey.equals(key)) {
    return problem('leaf certificate was not issued to the requested public key');
  }
  const errors = validateTimes(request, status, leaf);
  if (errors.length > 0) return errors;
  for (let block = nextPemBlock(chain, leafBlock.end); block; block = nextPemBlock(chain, block.end)) {
    if (block.type !== 'CERTIFICATE') {
      return problem('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
    }
    if (certificateOf(block.bytes) === undefined) {
      return problem('intermediate certificate does not parse as valid X.509');
    }
  }
  return [];
}

/** The times in the status must match the certificate and allow a refresh before it expires. */
function validateTimes(
  request: ResourceObject,
  status: PodCertificateRequestStatus,
  leaf: X509Certificate,
): FieldError[] {
  const { notBefore, notAfter, beginRefreshAt } = status;
  const errors: FieldError[] = [];
  const consistent = 'must be present and consistent with the issued certificate';
  if (!notBefore) errors.push(requiredValue('status.notBefore', consistent));
  if (!notAfter) errors.push(requiredValue('status.notAfter', consistent));
  if (!beginRefreshAt) {
    const detail = 'must be present and in the range [notbefore+10min, notafter-10min]';
    errors.push(requiredValue('status.beginRefreshAt', detail));
  }
  if (!notBefore || !notAfter || !beginRefreshAt) return errors;
  const [begin, end, refresh] = [notBefore, notAfter, beginRefreshAt].map((time) => Date.parse(time)) as [
    number,
    number,
    number,
  ];
  if (begin !== Date.parse(leaf.validFrom)) {
    const detail = 'must be set to the NotBefore time encoded in the leaf certificate';
    return [invalidValue('status.notBefore', notBefore, detail)];
  }
  if (Math.abs(begin - Date.now()) >= 5 * minute) {
    const detail = "must be set to within 5 minutes of kube-apiserver's current time";
    return [invalidValue('status.notBefore', notBefore, detail)];
  }
  if (end !== Date.parse(leaf.validTo)) {
    const detail = 'must be set to the NotAfter time encoded in the leaf certificate';
    return [invalidValue('status.notAfter', notAfter, detail)];
  }
  const { maxExpirationSeconds = 0 } = podRequestSpecOf(request);
  const lifetime = (end - begin) / 1000;
  if (lifetime < 3600) return [invalidValue(chainField, lifetime, 'leaf certificate lifetime must be >= 1 hour')];
  if (lifetime > maxExpirationSeconds) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxExpirationSeconds})`;
    return [invalidValue(chainField, lifetime, detail)];
  }
  if (refresh < begin + 10 * minute) {
    const detail = 'must be at least 10 minutes after status.notBefore';
    return [invalidValue('status.beginRefreshAt', beginRefreshAt, detail)];
  }
  if (refresh > end - 10 * minute) {
    const detail = 'must be at least 10 minutes before status.notAfter';
    return [invalidValue('status.beginRefreshAt', beginRefreshAt, detail)];
  }
  return [];
}
