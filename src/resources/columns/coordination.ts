import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { LeaseCandidate } from '../coordination/lease-candidate-types.ts';
import { age } from './ages.ts';
import { leaseCandidateDefinitions, leaseDefinitions } from './definitions/coordination.ts';

const lease: TableColumns = {
  definitions: leaseDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceObject & { spec?: { holderIdentity?: string } };
    return [metadata.name ?? '', spec?.holderIdentity ?? '', age(object, now)];
  },
};

const leaseCandidate: TableColumns = {
  definitions: leaseCandidateDefinitions,
  cells(object, now) {
    const { metadata, spec = {} } = object as LeaseCandidate;
    const { leaseName = '', binaryVersion = '', emulationVersion = '' } = spec;
    return [metadata.name ?? '', leaseName, binaryVersion, emulationVersion, age(object, now)];
  },
};

export const coordinationColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['coordination.k8s.io/Lease', lease],
  ['coordination.k8s.io/LeaseCandidate', leaseCandidate],
]);
