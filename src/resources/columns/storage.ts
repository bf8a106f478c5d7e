import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { CSIDriver } from '../storage/csi-types.ts';
import type { StorageClass } from '../storage/storage-class-types.ts';
import type { VolumeAttachment } from '../storage/volume-attachment-types.ts';
import { age } from './ages.ts';
import {
  csiDriverDefinitions,
  csiNodeDefinitions,
  storageClassDefinitions,
  volumeAttachmentDefinitions,
  volumeAttributesClassDefinitions,
} from './definitions/storage.ts';

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

const storageClass: TableColumns = {
  definitions: storageClassDefinitions,
  cells(object, now) {
    const { metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion } = object as StorageClass;
    const isDefault = defaultAnnotations.some((name) => metadata.annotations?.[name] === 'true');
    return [
      `${metadata.name ?? ''}${isDefault ? ' (default)' : ''}`,
      provisioner ?? '',
      reclaimPolicy ?? 'Delete',
      volumeBindingMode ?? 'Immediate',
      allowVolumeExpansion ?? false,
      age(object, now),
    ];
  },
};

const csiDriver: TableColumns = {
  definitions: csiDriverDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as CSIDriver;
    return [
      metadata.name ?? '',
      spec?.attachRequired ?? true,
      spec?.podInfoOnMount ?? false,
      spec?.storageCapacity ?? false,
      spec?.tokenRequests?.map(({ audience }) => audience ?? '').join(',') ?? '<unset>',
      spec?.requiresRepublish ?? false,
      spec?.volumeLifecycleModes?.join(',') || '<none>',
      age(object, now),
    ];
  },
};

const csiNode: TableColumns = {
  definitions: csiNodeDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceObject & { spec?: { drivers?: readonly unknown[] | null } };
    return [metadata.name ?? '', spec?.drivers?.length ?? 0, age(object, now)];
  },
};

const volumeAttachment: TableColumns = {
  definitions: volumeAttachmentDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as VolumeAttachment;
    return [
      metadata.name ?? '',
      spec?.attacher ?? '',
      spec?.source?.persistentVolumeName ?? '',
      spec?.nodeName ?? '',
      status?.attached ?? false,
      age(object, now),
    ];
  },
};

const volumeAttributesClass: TableColumns = {
  definitions: volumeAttributesClassDefinitions,
  cells(object, now) {
    const { metadata, driverName } = object as ResourceObject & { driverName?: string };
    return [metadata.name ?? '', driverName ?? '', age(object, now)];
  },
};

export const storageColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['storage.k8s.io/StorageClass', storageClass],
  ['storage.k8s.io/CSIDriver', csiDriver],
  ['storage.k8s.io/CSINode', csiNode],
  ['storage.k8s.io/VolumeAttachment', volumeAttachment],
  ['storage.k8s.io/VolumeAttributesClass', volumeAttributesClass],
]);
