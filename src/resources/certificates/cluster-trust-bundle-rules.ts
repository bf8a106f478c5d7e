import type { FieldError } from '../../meta/field-error.ts';
import { dnsSubdomainErrors, type NameCheck } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateImmutable } from '../validation/immutable.ts';
import type { ClusterTrustBundleSpec } from './cluster-trust-bundle-types.ts';
import { validateSignerName } from './signer-name.ts';
import { validateTrustAnchors } from './trust-anchors.ts';

const specOf = ({ spec }: ResourceObject): ClusterTrustBundleSpec => (spec as ClusterTrustBundleSpec | undefined) ?? {};

/** The name of a bundle starts with the name of its signer, so that signers cannot take each other's names. */
export function trustBundleNameErrors(signerName: string): NameCheck {
  return (name, options) => {
    if (signerName === '') {
      const isSigned = name.includes(':');
      return isSigned
        ? ['ClusterTrustBundle without signer name must not have ":" in its name']
        : dnsSubdomainErrors(name, options);
    }
    const prefix = `${signerName.replaceAll('/', ':')}:`;
    if (name.startsWith(prefix)) return dnsSubdomainErrors(name.slice(prefix.length), options);
    return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
  };
}

function validateBundle(object: ResourceObject, { parse }: { parse: boolean }): FieldError[] {
  const { signerName = '', trustBundle = '' } = specOf(object);
  return [
    ...(signerName === '' ? [] : validateSignerName(signerName, 'spec.signerName')),
    ...(parse ? validateTrustAnchors(trustBundle, 'spec.trustBundle') : []),
  ];
}

export const clusterTrustBundleRules: Partial<ResourceRules> = {
  name: () => [],
  nameOf: (bundle) => trustBundleNameErrors(specOf(bundle).signerName ?? ''),
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
  // An unchanged bundle is not parsed again, so that it stays valid when the parser becomes stricter.
  validate: (next, oldObject) =>
    validateBundle(next, {
      parse: oldObject === undefined || specOf(next).trustBundle !== specOf(oldObject).trustBundle,
    }),
  validateUpdate: (next, oldObject) =>
    validateImmutable(
      { next: specOf(next).signerName ?? '', oldValue: specOf(oldObject).signerName ?? '' },
      'spec.signerName',
    ),
};
