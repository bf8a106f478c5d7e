import { field, listOf, mapOf, namedString, quantity, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { accessModes } from './persistent-volume-claim-types.ts';
import { PersistentVolumeSource } from './persistent-volume-source-types.ts';
import { ObjectReference } from './reference-types.ts';
import { NodeSelector } from './scheduling-types.ts';

export const PersistentVolume = struct('core/v1.PersistentVolume', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PersistentVolumeSpec, { defaulted: true }),
  status: field(3, PersistentVolumeStatus, { defaulted: true }),
}));

export type PersistentVolume = ObjectOf<typeof PersistentVolume>;

export const PersistentVolumeSpec = struct('core/v1.PersistentVolumeSpec', () => ({
  capacity: field(1, mapOf(quantity)),
  persistentVolumeSource: field(2, PersistentVolumeSource, { inline: true }),
  accessModes: field(3, listOf(namedString('core/v1.PersistentVolumeAccessMode')), {
    enum: accessModes,
    list: 'atomic',
  }),
  claimRef: field(4, ObjectReference, { pointer: true, map: 'granular' }),
  persistentVolumeReclaimPolicy: field(5, namedString('core/v1.PersistentVolumeReclaimPolicy'), {
    defaulted: true,
    enum: ['Delete', 'Recycle', 'Retain'],
  }),
  storageClassName: field(6, string),
  mountOptions: field(7, listOf(string), { list: 'atomic' }),
  volumeMode: field(8, namedString('core/v1.PersistentVolumeMode'), {
    pointer: true,
    defaulted: true,
    enum: ['Block', 'Filesystem'],
  }),
  nodeAffinity: field(9, VolumeNodeAffinity, { pointer: true }),
  volumeAttributesClassName: field(10, string, { pointer: true }),
}));

export type PersistentVolumeSpec = TypeOf<typeof PersistentVolumeSpec>;

export const VolumeNodeAffinity = struct('core/v1.VolumeNodeAffinity', () => ({
  required: field(1, NodeSelector, { pointer: true }),
}));

export type VolumeNodeAffinity = TypeOf<typeof VolumeNodeAffinity>;

export const PersistentVolumeStatus = struct('core/v1.PersistentVolumeStatus', () => ({
  phase: field(1, namedString('core/v1.PersistentVolumePhase'), {
    defaulted: true,
    enum: ['Pending', 'Available', 'Bound', 'Released', 'Failed'],
  }),
  message: field(2, string),
  reason: field(3, string),
  lastPhaseTransitionTime: field(4, time, { pointer: true }),
}));

export type PersistentVolumeStatus = TypeOf<typeof PersistentVolumeStatus>;
