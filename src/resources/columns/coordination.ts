import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { leaseDefinitions } from './definitions/coordination.ts';

const lease: TableColumns = {
  definitions: leaseDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceObject & { spec?: { holderIdentity?: string } };
    return [metadata.name ?? '', spec?.holderIdentity ?? '', age(object, now)];
  },
};

export const coordinationColumns: ReadonlyMap<string, TableColumns> = new Map([['coordination.k8s.io/Lease', lease]]);
