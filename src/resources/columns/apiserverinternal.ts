import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { storageVersionDefinitions } from './definitions/apiserverinternal.ts';
import { shortenedList } from './shortened-list.ts';

interface StorageVersion extends ResourceObject {
  readonly status?: {
    readonly storageVersions?: readonly { readonly apiServerID?: string; readonly encodingVersion?: string }[];
    readonly commonEncodingVersion?: string;
  };
}

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
