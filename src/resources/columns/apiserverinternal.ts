import type { TableColumns } from '../../meta/table-columns.ts';
import type { StorageVersion } from '../apiserverinternal/storage-version-types.ts';
import { age } from './ages.ts';
import { storageVersionDefinitions } from './definitions/apiserverinternal.ts';
import { shortenedList } from './shortened-list.ts';

const storageVersion: TableColumns = {
  definitions: storageVersionDefinitions,
  cells(object, now) {
    const { metadata, status } = object as StorageVersion;
    const versions = (status?.storageVersions ?? []).map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    );
    return [
      metadata.name ?? '',
      status?.commonEncodingVersion ?? '<unset>',
      shortenedList(versions, 3),
      age(object, now),
    ];
  },
};

export const apiserverinternalColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['internal.apiserver.k8s.io/StorageVersion', storageVersion],
]);
