import { bool, field, int32, listOf, mapOf, namedString, quantity, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';
import { PersistentVolumeClaimTemplate } from './persistent-volume-claim-types.ts';
import {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from './projected-volume-types.ts';
import { LocalObjectReference } from './reference-types.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './shared-volume-source-types.ts';

// Volumes of a pod. Secret references have no namespace: the secrets are in the namespace of the pod.

export const Volume = struct('core/v1.Volume', () => ({
  name: field(1, string, { required: true, always: true }),
  volumeSource: field(2, VolumeSource, { inline: true }),
}));

export type Volume = TypeOf<typeof Volume>;

export const VolumeSource = struct('core/v1.VolumeSource', () => ({
  hostPath: field(1, HostPathVolumeSource, { pointer: true }),
  emptyDir: field(2, EmptyDirVolumeSource, { pointer: true, defaulted: true }),
  gcePersistentDisk: field(3, GCEPersistentDiskVolumeSource, { pointer: true }),
  awsElasticBlockStore: field(4, AWSElasticBlockStoreVolumeSource, { pointer: true }),
  gitRepo: field(5, GitRepoVolumeSource, { pointer: true }),
  secret: field(6, SecretVolumeSource, { pointer: true }),
  nfs: field(7, NFSVolumeSource, { pointer: true }),
  iscsi: field(8, ISCSIVolumeSource, { pointer: true }),
  glusterfs: field(9, GlusterfsVolumeSource, { pointer: true }),
  persistentVolumeClaim: field(10, PersistentVolumeClaimVolumeSource, { pointer: true }),
  rbd: field(11, RBDVolumeSource, { pointer: true }),
  flexVolume: field(12, FlexVolumeSource, { pointer: true }),
  cinder: field(13, CinderVolumeSource, { pointer: true }),
  cephfs: field(14, CephFSVolumeSource, { pointer: true }),
  flocker: field(15, FlockerVolumeSource, { pointer: true }),
  downwardAPI: field(16, DownwardAPIVolumeSource, { pointer: true }),
  fc: field(17, FCVolumeSource, { pointer: true }),
  azureFile: field(18, AzureFileVolumeSource, { pointer: true }),
  configMap: field(19, ConfigMapVolumeSource, { pointer: true }),
  vsphereVolume: field(20, VsphereVirtualDiskVolumeSource, { pointer: true }),
  quobyte: field(21, QuobyteVolumeSource, { pointer: true }),
  azureDisk: field(22, AzureDiskVolumeSource, { pointer: true }),
  photonPersistentDisk: field(23, PhotonPersistentDiskVolumeSource, { pointer: true }),
  projected: field(26, ProjectedVolumeSource, { pointer: true }),
  portworxVolume: field(24, PortworxVolumeSource, { pointer: true }),
  scaleIO: field(25, ScaleIOVolumeSource, { pointer: true }),
  storageos: field(27, StorageOSVolumeSource, { pointer: true }),
  csi: field(28, CSIVolumeSource, { pointer: true }),
  ephemeral: field(29, EphemeralVolumeSource, { pointer: true }),
  image: field(30, ImageVolumeSource, { pointer: true }),
}));

export const EmptyDirVolumeSource = struct('core/v1.EmptyDirVolumeSource', () => ({
  medium: field(1, namedString('core/v1.StorageMedium')),
  sizeLimit: field(2, quantity, { pointer: true }),
}));

export const GitRepoVolumeSource = struct('core/v1.GitRepoVolumeSource', () => ({
  repository: field(1, string, { required: true, always: true }),
  revision: field(2, string),
  directory: field(3, string),
}));

export const ISCSIVolumeSource = struct('core/v1.ISCSIVolumeSource', () => ({
  targetPortal: field(1, string, { required: true, always: true }),
  iqn: field(2, string, { required: true, always: true }),
  lun: field(3, int32, { required: true, always: true }),
  iscsiInterface: field(4, string, { default: 'default' }),
  fsType: field(5, string),
  readOnly: field(6, bool),
  portals: field(7, listOf(string), { list: 'atomic' }),
  chapAuthDiscovery: field(8, bool),
  chapAuthSession: field(11, bool),
  secretRef: field(10, LocalObjectReference, { pointer: true }),
  initiatorName: field(12, string, { pointer: true }),
}));

export type ISCSIVolumeSource = TypeOf<typeof ISCSIVolumeSource>;

export const GlusterfsVolumeSource = struct('core/v1.GlusterfsVolumeSource', () => ({
  endpoints: field(1, string, { required: true, always: true }),
  path: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
}));

export const PersistentVolumeClaimVolumeSource = struct('core/v1.PersistentVolumeClaimVolumeSource', () => ({
  claimName: field(1, string, { required: true, always: true }),
  readOnly: field(2, bool),
}));

export const RBDVolumeSource = struct('core/v1.RBDVolumeSource', () => ({
  monitors: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  image: field(2, string, { required: true, always: true }),
  fsType: field(3, string),
  pool: field(4, string, { default: 'rbd' }),
  user: field(5, string, { default: 'admin' }),
  keyring: field(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: field(7, LocalObjectReference, { pointer: true }),
  readOnly: field(8, bool),
}));

export const FlexVolumeSource = struct('core/v1.FlexVolumeSource', () => ({
  driver: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  secretRef: field(3, LocalObjectReference, { pointer: true }),
  readOnly: field(4, bool),
  options: field(5, mapOf(string)),
}));

export const CinderVolumeSource = struct('core/v1.CinderVolumeSource', () => ({
  volumeID: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  readOnly: field(3, bool),
  secretRef: field(4, LocalObjectReference, { pointer: true }),
}));

export const CephFSVolumeSource = struct('core/v1.CephFSVolumeSource', () => ({
  monitors: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  path: field(2, string),
  user: field(3, string),
  secretFile: field(4, string),
  secretRef: field(5, LocalObjectReference, { pointer: true }),
  readOnly: field(6, bool),
}));

export const AzureFileVolumeSource = struct('core/v1.AzureFileVolumeSource', () => ({
  secretName: field(1, string, { required: true, always: true }),
  shareName: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
}));

export const ScaleIOVolumeSource = struct('core/v1.ScaleIOVolumeSource', () => ({
  gateway: field(1, string, { required: true, always: true }),
  system: field(2, string, { required: true, always: true }),
  secretRef: field(3, LocalObjectReference, { required: true, pointer: true, always: true }),
  sslEnabled: field(4, bool),
  protectionDomain: field(5, string),
  storagePool: field(6, string),
  storageMode: field(7, string, { default: 'ThinProvisioned' }),
  volumeName: field(8, string),
  fsType: field(9, string, { default: 'xfs' }),
  readOnly: field(10, bool),
}));

export const StorageOSVolumeSource = struct('core/v1.StorageOSVolumeSource', () => ({
  volumeName: field(1, string),
  volumeNamespace: field(2, string),
  fsType: field(3, string),
  readOnly: field(4, bool),
  secretRef: field(5, LocalObjectReference, { pointer: true }),
}));

export const CSIVolumeSource = struct('core/v1.CSIVolumeSource', () => ({
  driver: field(1, string, { required: true, always: true }),
  readOnly: field(2, bool, { pointer: true }),
  fsType: field(3, string, { pointer: true }),
  volumeAttributes: field(4, mapOf(string)),
  nodePublishSecretRef: field(5, LocalObjectReference, { pointer: true }),
}));

export const EphemeralVolumeSource = struct('core/v1.EphemeralVolumeSource', () => ({
  volumeClaimTemplate: field(1, PersistentVolumeClaimTemplate, { pointer: true }),
}));

export const ImageVolumeSource = struct('core/v1.ImageVolumeSource', () => ({
  reference: field(1, string),
  pullPolicy: field(2, namedString('core/v1.PullPolicy'), {
    defaulted: true,
    enum: ['Always', 'IfNotPresent', 'Never'],
  }),
}));
