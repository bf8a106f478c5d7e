import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { certificateRequestProblem } from '../../pki/certificate-request-problem.ts';
import { nextPemBlock } from '../../pki/pem.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { isSameValue } from '../validation/immutable.ts';
import {
  type CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
  type CertificateSigningRequestStatus,
} from './certificate-signing-request-types.ts';
import { validateSignerName } from './signer-name.ts';
import { certificateOf } from './trust-anchors.ts';

const legacySigner = 'kubernetes.io/legacy-unknown';
const minValiditySeconds = 600;
const certificateUsages = enumOf(CertificateSigningRequestSpec, 'usages');
const usageSet: ReadonlySet<string> = new Set(certificateUsages);

export const requestStatusOf = ({ status }: ResourceObject): CertificateSigningRequestStatus =>
  (status as CertificateSigningRequestStatus | undefined) ?? {};

export function validateRequest(object: ResourceObject): FieldError[] {
  const {
    request,
    signerName = '',
    expirationSeconds,
    usages,
  } = (object.spec as CertificateSigningRequestSpec | undefined) ?? {};
  const { conditions = [], certificate } = requestStatusOf(object);
  const errors: FieldError[] = [];
  const problem = certificateRequestProblem(request ?? undefined);
  if (problem !== undefined) errors.push(invalidValue('spec.request', request ?? null, problem));
  errors.push(...validateUsages(usages ?? []));
  if (signerName === legacySigner) {
    const detail = 'the legacy signerName is not allowed via this API version';
    errors.push(invalidValue('spec.signerName', signerName, detail));
  } else errors.push(...validateSignerName(signerName, 'spec.signerName'));
  if (expirationSeconds !== undefined && expirationSeconds < minValiditySeconds) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalidValue('spec.expirationSeconds', expirationSeconds, detail));
  }
  errors.push(...validateConditions(conditions));
  const certificateProblem = issuedCertificateProblem(certificate);
  if (certificateProblem !== undefined) {
    errors.push(invalidValue('status.certificate', '<certificate data>', certificateProblem));
  }
  return errors;
}

function validateUsages(usages: readonly string[]): FieldError[] {
  if (usages.length === 0) return [requiredValue('spec.usages')];
  const errors: FieldError[] = [];
  for (const [index, usage] of usages.entries()) {
    if (!usageSet.has(usage)) errors.push(notSupportedValue(`spec.usages[${index}]`, usage, certificateUsages));
  }
  const seen = new Set<string>();
  for (const [index, usage] of usages.entries()) {
    if (seen.has(usage)) errors.push(duplicateValue(`spec.usages[${index}]`, usage));
    seen.add(usage);
  }
  return errors;
}

/** Conditions whose only valid status is True. */
const decisions: ReadonlySet<string> = new Set(['Approved', 'Denied', 'Failed']);
const onlyTrue = ['True'];
const anyStatus = ['False', 'True', 'Unknown'];

function validateConditions(conditions: readonly CertificateSigningRequestCondition[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const field = `status.conditions[${index}]`;
    if (type === '') errors.push(requiredValue(`${field}.type`));
    const allowed = decisions.has(type) ? onlyTrue : anyStatus;
    if (status === '') errors.push(requiredValue(`${field}.status`));
    else if (!allowed.includes(status)) errors.push(notSupportedValue(`${field}.status`, status, allowed));
    if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'))) {
      const detail = 'Approved and Denied conditions are mutually exclusive';
      errors.push(invalidValue('status.conditions', type, detail));
    }
    if (seen.has(type)) errors.push(duplicateValue(`${field}.type`, type));
    seen.add(type);
  }
  return errors;
}

interface RequestChangeOptions {
  /** Only the `approval` subresource may approve or deny. */
  readonly mayDecide: boolean;
  /** Only the `status` subresource may set the certificate. */
  readonly mayIssue: boolean;
}

export function validateRequestChange(
  next: ResourceObject,
  oldObject: ResourceObject,
  { mayDecide, mayIssue }: RequestChangeOptions,
): FieldError[] {
  const errors = validateRequest(next);
  for (const type of decisions) {
    if (conditionsOf(next, type).length < conditionsOf(oldObject, type).length) {
      errors.push(forbiddenValue('status.conditions', `updates may not remove a condition of type "${type}"`));
    }
  }
  if (!mayDecide) errors.push(...validateNoDecision(next, oldObject));
  const before = requestStatusOf(oldObject).certificate ?? '';
  if ((requestStatusOf(next).certificate ?? '') === before) return errors;
  if (!mayIssue) errors.push(forbiddenValue('status.certificate', 'updates may not set certificate content'));
  else if (before !== '') {
    errors.push(forbiddenValue('status.certificate', 'updates may not modify existing certificate content'));
  }
  return errors;
}

function validateNoDecision(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const type of ['Approved', 'Denied']) {
    const before = conditionsOf(oldObject, type);
    const after = conditionsOf(next, type);
    if (after.length > before.length) {
      errors.push(forbiddenValue('status.conditions', `updates may not add a condition of type "${type}"`));
    } else if (after.length === before.length && !isSameValue(before, after)) {
      errors.push(forbiddenValue('status.conditions', `updates may not modify a condition of type "${type}"`));
    }
  }
  return errors;
}

function conditionsOf(object: ResourceObject, type: string): readonly CertificateSigningRequestCondition[] {
  return (requestStatusOf(object).conditions ?? []).filter((condition) => condition.type === type);
}

/** Returns the problem of the issued certificates, which are base64 of PEM. Undefined when valid or absent. */
function issuedCertificateProblem(certificate: string | undefined): string | undefined {
  if (!certificate) return undefined;
  const text = Buffer.from(certificate, 'base64').toString('latin1');
  let blocks = 0;
  for (let block = nextPemBlock(text); block !== undefined; block = nextPemBlock(text, block.end)) {
    if (block.type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(block.type)}`;
    }
    if (block.hasHeaders) return 'no PEM block headers are permitted';
    blocks++;
    if (block.bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (certificateOf(block.bytes) === undefined) return 'x509: malformed certificate';
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
