import { field, listOf, mapOf, namedString, quantity, string, struct, time } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { TypedLocalObjectReference, TypedObjectReference } from './reference-types.ts';

export const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

export const PersistentVolumeClaim = struct('core/v1.PersistentVolumeClaim', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PersistentVolumeClaimSpec, { defaulted: true }),
  status: field(3, PersistentVolumeClaimStatus, { defaulted: true }),
}));

export type PersistentVolumeClaim = ObjectOf<typeof PersistentVolumeClaim>;

export const PersistentVolumeClaimSpec = struct('core/v1.PersistentVolumeClaimSpec', () => ({
  accessModes: field(1, listOf(namedString('core/v1.PersistentVolumeAccessMode')), {
    enum: accessModes,
    list: 'atomic',
  }),
  selector: field(4, LabelSelector, { pointer: true }),
  resources: field(2, VolumeResourceRequirements),
  volumeName: field(3, string),
  storageClassName: field(5, string, { pointer: true, defaulted: true }),
  volumeMode: field(6, namedString('core/v1.PersistentVolumeMode'), {
    pointer: true,
    defaulted: true,
    enum: ['Block', 'Filesystem'],
  }),
  dataSource: field(7, TypedLocalObjectReference, { pointer: true, defaulted: true }),
  dataSourceRef: field(8, TypedObjectReference, { pointer: true, defaulted: true }),
  volumeAttributesClassName: field(9, string, { pointer: true }),
}));

export type PersistentVolumeClaimSpec = TypeOf<typeof PersistentVolumeClaimSpec>;

export const VolumeResourceRequirements = struct('core/v1.VolumeResourceRequirements', () => ({
  limits: field(1, mapOf(quantity)),
  requests: field(2, mapOf(quantity)),
}));

export const PersistentVolumeClaimStatus = struct('core/v1.PersistentVolumeClaimStatus', () => ({
  phase: field(1, namedString('core/v1.PersistentVolumeClaimPhase'), {
    defaulted: true,
    enum: ['Pending', 'Bound', 'Lost'],
  }),
  accessModes: field(2, listOf(namedString('core/v1.PersistentVolumeAccessMode')), {
    enum: accessModes,
    list: 'atomic',
  }),
  capacity: field(3, mapOf(quantity)),
  conditions: field(4, listOf(PersistentVolumeClaimCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
  allocatedResources: field(5, mapOf(quantity)),
  allocatedResourceStatuses: field(7, mapOf(namedString('core/v1.ClaimResourceStatus')), { map: 'granular' }),
  currentVolumeAttributesClassName: field(8, string, { pointer: true }),
  modifyVolumeStatus: field(9, ModifyVolumeStatus, { pointer: true }),
}));

export type PersistentVolumeClaimStatus = TypeOf<typeof PersistentVolumeClaimStatus>;

export const PersistentVolumeClaimCondition = struct('core/v1.PersistentVolumeClaimCondition', () => ({
  type: field(1, namedString('core/v1.PersistentVolumeClaimConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  lastProbeTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
}));

export const ModifyVolumeStatus = struct('core/v1.ModifyVolumeStatus', () => ({
  targetVolumeAttributesClassName: field(1, string),
  status: field(2, namedString('core/v1.PersistentVolumeClaimModifyVolumeStatus'), {
    required: true,
    always: true,
    enum: ['Pending', 'InProgress', 'Infeasible'],
  }),
}));

export const PersistentVolumeClaimTemplate = struct('core/v1.PersistentVolumeClaimTemplate', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PersistentVolumeClaimSpec, { required: true, always: true }),
}));

export type PersistentVolumeClaimTemplate = TypeOf<typeof PersistentVolumeClaimTemplate>;
