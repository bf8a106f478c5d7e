import { qualifiedResource } from '../../meta/group-version.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { StorageVersionMigration } from '../storagemigration/storage-version-migration-types.ts';
import { storageVersionMigrationDefinitions } from './definitions/storagemigration.ts';

const states: readonly (string | undefined)[] = ['Running', 'Failed', 'Succeeded'];

const storageVersionMigration: TableColumns = {
  definitions: storageVersionMigrationDefinitions,
  cells(object) {
    const { metadata, spec, status } = object as StorageVersionMigration;
    const { group = '', resource = '' } = spec?.resource ?? {};
    const state = status?.conditions?.findLast((one) => one.status === 'True' && states.includes(one.type));
    return [metadata.name ?? '', qualifiedResource({ group, resource }), state?.type ?? 'Unknown'];
  },
};

export const storagemigrationColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['storagemigration.k8s.io/StorageVersionMigration', storageVersionMigration],
]);
