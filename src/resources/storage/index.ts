import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { CSIDriver, CSINode, CSIStorageCapacity } from './csi-types.ts';
import { StorageClass, VolumeAttributesClass } from './storage-class-types.ts';
import { VolumeAttachment } from './volume-attachment-types.ts';

/** The `storage.k8s.io` group: drivers, classes and attachments of volumes. The volumes themselves are in core. */
const v1 = { group: 'storage.k8s.io', version: 'v1' };

export const storageResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'csidrivers', {
    schema: CSIDriver,
    scope: 'cluster',
    unconditionalUpdate: false,
    returnsDeleted: true,
  }),
  defineResource(v1, 'csinodes', {
    schema: CSINode,
    scope: 'cluster',
    unconditionalUpdate: false,
    returnsDeleted: true,
  }),
  defineResource(v1, 'csistoragecapacities', { schema: CSIStorageCapacity, unconditionalUpdate: false }),
  defineResource(v1, 'storageclasses', {
    schema: StorageClass,
    scope: 'cluster',
    shortNames: ['sc'],
    returnsDeleted: true,
  }),
  defineResource(v1, 'volumeattachments', {
    schema: VolumeAttachment,
    scope: 'cluster',
    subresources: [status],
    unconditionalUpdate: false,
    returnsDeleted: true,
  }),
  defineResource(v1, 'volumeattributesclasses', {
    schema: VolumeAttributesClass,
    scope: 'cluster',
    shortNames: ['vac'],
    returnsDeleted: true,
  }),
];
