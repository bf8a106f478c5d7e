import { invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { validateAnnotations } from '../../../meta/validate-labels.ts';
import { trustBundleNameErrors } from '../../certificates/cluster-trust-bundle-rules.ts';
import { validateSignerName } from '../../certificates/signer-name.ts';
import { validateLabelSelector } from '../../validation/label-selectors.ts';
import type { ClusterTrustBundleProjection, PodCertificateProjection } from '../projected-volume-types.ts';
import type { Errors } from './field-checks.ts';

// Volume sources for trust bundles and for certificates of the pod.

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const minExpiration = 3600;
const maxExpiration = 91 * 24 * 3600;

/** The caller validates the path. */
export function validateTrustBundleSource(source: ClusterTrustBundleProjection, field: string, errors: Errors): void {
  const { name, signerName, labelSelector } = source;
  if (name !== undefined && signerName !== undefined) {
    errors.push(invalidValue(field, source, 'only one of name and signerName may be used'));
  } else if (name !== undefined) {
    if (name === '') errors.push(requiredValue(`${field}.name`, 'must be a valid object name'));
    // The name of a bundle that belongs to a signer starts with the signer name.
    const segments = name.split(':');
    const signer = segments.length > 2 ? `${segments[0]}/${segments[1]}` : '';
    for (const detail of trustBundleNameErrors(signer)(name)) {
      errors.push(invalidValue(`${field}.name`, name, `not a valid clustertrustbundlename: ${detail}`));
    }
    if (labelSelector !== undefined) {
      const detail = 'labelSelector must be unset if name is specified';
      errors.push(invalidValue(`${field}.labelSelector`, labelSelector, detail));
    }
  } else if (signerName !== undefined) {
    if (signerName === '') errors.push(requiredValue(`${field}.signerName`, 'must be a valid signer name'));
    errors.push(...validateSignerName(signerName, `${field}.signerName`));
    if (labelSelector !== undefined) errors.push(...validateLabelSelector(labelSelector, `${field}.labelSelector`));
  } else errors.push(requiredValue(field, 'either name or signerName must be specified'));
}

/** The caller validates the paths. */
export function validatePodCertificateSource(source: PodCertificateProjection, field: string, errors: Errors): void {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds, userAnnotations } = source;
  errors.push(...validateSignerName(signerName, `${field}.signerName`));
  if (!keyTypes.includes(keyType)) errors.push(notSupportedValue(`${field}.keyType`, keyType, keyTypes));
  if (seconds !== undefined && (seconds < minExpiration || seconds > maxExpiration)) {
    const detail = `must be in the range [${minExpiration}, ${maxExpiration}]`;
    errors.push(invalidValue(`${field}.maxExpirationSeconds`, seconds, detail));
  }
  if (!source.credentialBundlePath && !source.keyPath && !source.certificateChainPath) {
    const detail = 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath';
    errors.push(requiredValue(field, detail));
  }
  errors.push(...validateAnnotations(userAnnotations, `${field}.userAnnotations`));
}
