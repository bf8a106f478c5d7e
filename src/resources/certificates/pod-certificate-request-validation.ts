import { type FieldError, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateAnnotations } from '../../meta/validate-labels.ts';
import { signatureProblem } from '../../pki/certificate-request-problem.ts';
import { isProvenBy, parsePublicKey, subjectKeyProblem } from '../../pki/subject-key.ts';
import { invalidWithoutValue } from '../validation/invalid-without-value.ts';
import { derOf, podRequestSpecOf, stubRequest } from './pod-certificate-request.ts';
import type { PodCertificateRequestSpec } from './pod-certificate-request-types.ts';
import { validateSignerName } from './signer-name.ts';

const maxUidLength = 128;
const minExpiration = 3600;
const maxExpiration = 91 * 24 * 3600;
/** The limit for signers in the `kubernetes.io` domain. */
const maxKubernetesExpiration = 24 * 3600;
const maxKeyBytes = 10 * 1024;
const maxStubBytes = 10 * 1024;

export function validatePodRequest(object: ResourceObject): FieldError[] {
  const spec = podRequestSpecOf(object);
  const errors = [
    ...validateSignerName(spec.signerName ?? '', 'spec.signerName'),
    ...validateUserAnnotations(spec.unverifiedUserAnnotations),
    ...validateReference(spec, 'pod'),
    ...validateReference(spec, 'serviceAccount'),
    ...validateReference(spec, 'node'),
  ];
  if (spec.maxExpirationSeconds === undefined) {
    return [...errors, requiredValue('spec.maxExpirationSeconds', 'must be set')];
  }
  return [...errors, ...validateExpiration(spec), ...validateKey(spec)];
}

function validateUserAnnotations(annotations: PodCertificateRequestSpec['unverifiedUserAnnotations']): FieldError[] {
  const field = 'spec.unverifiedUserAnnotations';
  const errors = validateAnnotations(annotations, field);
  for (const key of Object.keys(annotations ?? {})) {
    if (key.includes('/')) continue;
    errors.push(invalidValue(field, key, 'must be a domain-prefixed key (such as "acme.io/foo")'));
  }
  return errors;
}

function validateReference(spec: PodCertificateRequestSpec, to: 'pod' | 'serviceAccount' | 'node'): FieldError[] {
  const name = spec[`${to}Name`] ?? '';
  const uid = spec[`${to}UID`] ?? '';
  const errors = dnsSubdomainErrors(name).map((detail) => invalidValue(`spec.${to}Name`, name, detail));
  if (uid === '') errors.push(invalidValue(`spec.${to}UID`, uid, 'must not be empty'));
  if (Buffer.byteLength(uid) > maxUidLength) errors.push(tooLong(`spec.${to}UID`, maxUidLength));
  return errors;
}

function validateExpiration({
  signerName = '',
  maxExpirationSeconds: seconds = 0,
}: PodCertificateRequestSpec): FieldError[] {
  const domain = signerName.slice(0, Math.max(0, signerName.indexOf('/')));
  const isKubernetes = domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
  const maximum = isKubernetes ? maxKubernetesExpiration : maxExpiration;
  if (seconds >= minExpiration && seconds <= maximum) return [];
  return [invalidValue('spec.maxExpirationSeconds', seconds, `must be in the range [${minExpiration}, ${maximum}]`)];
}

/** The pod proves that it has the private key, either by a signed request or by a signature of its UID. */
function validateKey(spec: PodCertificateRequestSpec): FieldError[] {
  const key = derOf(spec.pkixPublicKey);
  const proof = derOf(spec.proofOfPossession);
  const stub = derOf(spec.stubPKCS10Request);
  if (key.length > maxKeyBytes) return [tooLong('spec.pkixPublicKey', maxKeyBytes)];
  if (proof.length > maxKeyBytes) return [tooLong('spec.proofOfPossession', maxKeyBytes)];
  if (stub.length > maxStubBytes) return [tooLong('spec.stubPKCS10Request', maxStubBytes)];
  if (stub.length > 0 && key.length === 0 && proof.length === 0) return validateStub(spec, stub);
  if (stub.length === 0 && key.length > 0 && proof.length > 0) return validateProvenKey(spec, key, proof);
  const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  return [invalidWithoutValue('spec', detail)];
}

function validateStub({ stubPKCS10Request: shown }: PodCertificateRequestSpec, stub: Buffer): FieldError[] {
  const field = 'spec.stubPKCS10Request';
  const request = stubRequest(stub);
  const key = request && parsePublicKey(request.key.whole);
  if (request === undefined || key === undefined) return [invalidValue(field, shown, 'must be a valid PKCS#10 CSR')];
  const problem = subjectKeyProblem(key);
  if (problem !== undefined) return [invalidValue(field, problem.shown ?? shown, problem.detail)];
  const unproven = signatureProblem(request);
  return unproven === undefined ? [] : [invalidWithoutValue(field, `could not verify signature: ${unproven}`)];
}

function validateProvenKey(
  { pkixPublicKey: shown, podUID = '' }: PodCertificateRequestSpec,
  der: Buffer,
  proof: Buffer,
) {
  const field = 'spec.pkixPublicKey';
  const key = parsePublicKey(der);
  if (key === undefined) return [invalidValue(field, shown, 'must be a valid PKIX-serialized public key')];
  const problem = subjectKeyProblem(key);
  if (problem !== undefined) return [invalidValue(field, problem.shown ?? shown, problem.detail)];
  if (isProvenBy(key, podUID, proof)) return [];
  return [invalidWithoutValue('spec.proofOfPossession', 'could not verify proof-of-possession signature')];
}
