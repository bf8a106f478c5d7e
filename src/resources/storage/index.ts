import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { defineVersion } from '../define-version.ts';
import { deriveVersion } from '../derive-version.ts';
import { csiDriverRules } from './csi-driver-rules.ts';
import { csiNodeRules } from './csi-node-rules.ts';
import { csiStorageCapacityRules } from './csi-storage-capacity-rules.ts';
import { CSIDriver, CSINode, CSIStorageCapacity } from './csi-types.ts';
import { storageClassRules } from './storage-class-rules.ts';
import { StorageClass, VolumeAttributesClass } from './storage-class-types.ts';
import { volumeAttachmentRules } from './volume-attachment-rules.ts';
import { VolumeAttachment } from './volume-attachment-types.ts';
import { volumeAttributesClassRules } from './volume-attributes-class-rules.ts';

/** The `storage.k8s.io` group: CSI drivers, storage classes and volume attachments. Volumes are in `core`. */
const v1 = { group: 'storage.k8s.io', version: 'v1' };

const volumeAttributesClasses = defineResource(v1, 'volumeattributesclasses', {
  schema: VolumeAttributesClass,
  scope: 'cluster',
  shortNames: ['vac'],
  returnsDeleted: true,
  ...volumeAttributesClassRules,
});

export const storageResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'csidrivers', {
    schema: CSIDriver,
    scope: 'cluster',
    unconditionalUpdate: false,
    returnsDeleted: true,
    ...csiDriverRules,
  }),
  defineResource(v1, 'csinodes', {
    schema: CSINode,
    scope: 'cluster',
    unconditionalUpdate: false,
    returnsDeleted: true,
    ...csiNodeRules,
  }),
  defineResource(v1, 'csistoragecapacities', {
    schema: CSIStorageCapacity,
    unconditionalUpdate: false,
    ...csiStorageCapacityRules,
  }),
  defineResource(v1, 'storageclasses', {
    schema: StorageClass,
    scope: 'cluster',
    shortNames: ['sc'],
    returnsDeleted: true,
    ...storageClassRules,
  }),
  defineResource(v1, 'volumeattachments', {
    schema: VolumeAttachment,
    scope: 'cluster',
    subresources: [status],
    unconditionalUpdate: false,
    returnsDeleted: true,
    ...volumeAttachmentRules,
  }),
  volumeAttributesClasses,
];

export const optionalStorageResources: readonly ResourceDefinition[] = [
  defineVersion(volumeAttributesClasses, {
    version: 'v1beta1',
    schema: deriveVersion({ from: 'storage/v1', to: 'storage/v1beta1' })(VolumeAttributesClass),
    deprecated: { since: 34, unavailable: 37, replacement: 'v1' },
  }),
];
