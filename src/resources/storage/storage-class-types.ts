import { bool, field, listOf, mapOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf } from '../../schema/type-of.ts';
import { TopologySelectorTerm } from '../core/scheduling-types.ts';

export const StorageClass = struct('storage/v1.StorageClass', () => ({
  metadata: field(1, ObjectMeta),
  provisioner: field(2, string, { required: true, always: true }),
  parameters: field(3, mapOf(string)),
  reclaimPolicy: field(4, namedString('core/v1.PersistentVolumeReclaimPolicy'), {
    pointer: true,
    defaulted: true,
    enum: ['Recycle', 'Delete', 'Retain'],
  }),
  mountOptions: field(5, listOf(string), { list: 'atomic' }),
  allowVolumeExpansion: field(6, bool, { pointer: true }),
  volumeBindingMode: field(7, namedString('storage/v1.VolumeBindingMode'), {
    pointer: true,
    defaulted: true,
    enum: ['Immediate', 'WaitForFirstConsumer'],
  }),
  allowedTopologies: field(8, listOf(TopologySelectorTerm), { list: 'atomic' }),
}));

export type StorageClass = ObjectOf<typeof StorageClass>;

export const VolumeAttributesClass = struct('storage/v1.VolumeAttributesClass', () => ({
  metadata: field(1, ObjectMeta),
  driverName: field(2, string, { required: true, always: true }),
  parameters: field(3, mapOf(string)),
}));

export type VolumeAttributesClass = ObjectOf<typeof VolumeAttributesClass>;
