import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { normalizeDataSources } from './persistent-volume/claim-data-sources.ts';
import { validateClaimStatus } from './persistent-volume/persistent-volume-claim-status.ts';
import { validateClaimChange } from './persistent-volume/persistent-volume-claim-update.ts';
import { validateClaimSpec } from './persistent-volume/persistent-volume-claim-validation.ts';
import { claimWarnings } from './persistent-volume/persistent-volume-claim-warnings.ts';
import type { ClaimSpec, ClaimStatus } from './persistent-volume/volume-shapes.ts';
import { roundResources } from './pod/resource-rounding.ts';

const specOf = ({ spec }: ResourceObject): ClaimSpec => (spec as ClaimSpec | undefined) ?? {};

function setDefaults(claim: ResourceObject): void {
  claim.spec ??= {};
  setClaimSpecDefaults(claim.spec as ClaimSpec);
  claim.status ??= {};
  const status = claim.status as ClaimStatus;
  status.phase ??= 'Pending';
  roundResources(status.capacity);
  roundResources(status.allocatedResources);
}

/** Also used for the claim templates of pods and stateful sets. */
export function setClaimSpecDefaults(spec: ClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}

export const persistentVolumeClaimRules: Partial<ResourceRules> = {
  setDefaults,
  validate: (claim) => validateClaimSpec(specOf(claim), 'spec'),
  validateUpdate: (next, stored) => [...validateClaimSpec(specOf(next), 'spec'), ...validateClaimChange(next, stored)],
  validateStatus: validateClaimStatus,
  warnings: claimWarnings,
  prepareCreate(claim) {
    claim.status = { phase: 'Pending' };
    claim.spec = normalized(specOf(claim), undefined);
  },
  prepareUpdate(next, stored) {
    next.spec = normalized(specOf(next), specOf(stored));
  },
};

function normalized(spec: ClaimSpec, stored: ClaimSpec | undefined): ClaimSpec {
  if (spec.dataSource === undefined && spec.dataSourceRef === undefined) return spec;
  const copy = { ...spec };
  normalizeDataSources(copy, stored);
  return copy;
}
