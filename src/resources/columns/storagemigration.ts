import { qualifiedResource } from '../../meta/group-version.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { storageVersionMigrationDefinitions } from './definitions/storagemigration.ts';

interface StorageVersionMigration extends ResourceObject {
  readonly spec?: { readonly resource?: { readonly group?: string; readonly resource?: string } };
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

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
