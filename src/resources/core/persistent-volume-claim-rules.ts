import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { exactQuantity } from '../../schema/exact-quantity.ts';
import { milliValue } from '../validation/quantities.ts';
import { normalizeDataSources } from './persistent-volume/claim-data-sources.ts';
import { validateClaimStatus } from './persistent-volume/persistent-volume-claim-status.ts';
import { validateClaimChange } from './persistent-volume/persistent-volume-claim-update.ts';
import { validateClaimSpec } from './persistent-volume/persistent-volume-claim-validation.ts';
import { annotationWarnings } from './persistent-volume/persistent-volume-warnings.ts';
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimStatus } from './persistent-volume-claim-types.ts';
import { type ResourceList, roundResources } from './resource-list.ts';

const specOf = ({ spec }: ResourceObject): PersistentVolumeClaimSpec =>
  (spec as PersistentVolumeClaimSpec | undefined) ?? {};

function setDefaults(claim: ResourceObject): void {
  claim.spec ??= {};
  setClaimSpecDefaults(claim.spec as PersistentVolumeClaimSpec);
  claim.status ??= {};
  const status = claim.status as PersistentVolumeClaimStatus;
  status.phase ??= 'Pending';
  roundResources(status.capacity);
  roundResources(status.allocatedResources);
}

/** Also used for the claim templates of pods and stateful sets. */
export function setClaimSpecDefaults(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}

export const persistentVolumeClaimRules: Partial<ResourceRules> = {
  setDefaults,
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
  validate: (claim, oldObject) => validateClaimSpec(specOf(claim), 'spec', oldObject && specOf(oldObject)),
  validateUpdate: validateClaimChange,
  validateStatus: validateClaimStatus,
  warnings: claimWarnings,
  prepareCreate(claim) {
    claim.status = { phase: 'Pending' };
    claim.spec = normalized(specOf(claim), undefined);
  },
  prepareUpdate(next, oldObject) {
    next.spec = normalized(specOf(next), specOf(oldObject));
  },
};

function normalized(
  spec: PersistentVolumeClaimSpec,
  oldSpec: PersistentVolumeClaimSpec | undefined,
): PersistentVolumeClaimSpec {
  if (spec.dataSource === undefined && spec.dataSourceRef === undefined) return spec;
  const copy = { ...spec };
  normalizeDataSources(copy, oldSpec);
  return copy;
}

function claimWarnings(claim: ResourceObject): string[] {
  const { resources } = (claim.spec as PersistentVolumeClaimSpec | undefined) ?? {};
  return [
    ...annotationWarnings(claim),
    ...fractionWarnings(resources?.requests, 'spec.resources.requests[storage]'),
    ...fractionWarnings(resources?.limits, 'spec.resources.limits[storage]'),
  ];
}

function fractionWarnings(amounts: ResourceList | undefined, field: string): string[] {
  const amount = amounts?.storage;
  if (amount === undefined || milliValue(exactQuantity(amounts!, 'storage')) % 1000n === 0n) return [];
  return [`${field}: fractional byte value "${amount}" is invalid, must be an integer`];
}
