import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { defineVersion, deprecationText } from '../define-version.ts';
import { deriveVersion } from '../derive-version.ts';
import { textFields } from '../select-field.ts';
import { leaseCandidateRules } from './lease-candidate-rules.ts';
import { LeaseCandidate } from './lease-candidate-types.ts';
import { leaseRules } from './lease-rules.ts';
import { Lease } from './lease-types.ts';

/** The `coordination.k8s.io` group: leases for leader election, and lease candidates. */
const v1 = { group: 'coordination.k8s.io', version: 'v1' };
const v1beta1 = { group: 'coordination.k8s.io', version: 'v1beta1' };

export const coordinationResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'leases', { schema: Lease, unconditionalUpdate: false, createsOnUpdate: true, ...leaseRules }),
];

const leaseCandidates = defineResource(v1beta1, 'leasecandidates', {
  schema: LeaseCandidate,
  unconditionalUpdate: false,
  createsOnUpdate: true,
  deprecation: deprecationText(v1beta1, 'LeaseCandidate', { since: 36, unavailable: 39 }),
  fieldSelectors: { fields: textFields('spec.leaseName'), refusal: 'notSupported' },
  ...leaseCandidateRules,
});

export const optionalCoordinationResources: readonly ResourceDefinition[] = [
  leaseCandidates,
  defineVersion(leaseCandidates, {
    version: 'v1alpha2',
    schema: deriveVersion({ from: 'coordination/v1beta1', to: 'coordination/v1alpha2' })(LeaseCandidate),
    deprecated: { since: 35, unavailable: 38 },
  }),
];
