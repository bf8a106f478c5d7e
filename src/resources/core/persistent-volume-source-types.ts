import { bool, field, int32, listOf, mapOf, string, struct } from '../../schema/builders.ts';
import { ObjectReference, SecretReference } from './reference-types.ts';
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

// Volume sources of persistent volumes. A persistent volume is cluster-scoped, so secret references carry a namespace.

export const PersistentVolumeSource = struct('core/v1.PersistentVolumeSource', () => ({
  gcePersistentDisk: field(1, GCEPersistentDiskVolumeSource, { pointer: true }),
  awsElasticBlockStore: field(2, AWSElasticBlockStoreVolumeSource, { pointer: true }),
  hostPath: field(3, HostPathVolumeSource, { pointer: true }),
  glusterfs: field(4, GlusterfsPersistentVolumeSource, { pointer: true }),
  nfs: field(5, NFSVolumeSource, { pointer: true }),
  rbd: field(6, RBDPersistentVolumeSource, { pointer: true }),
  iscsi: field(7, ISCSIPersistentVolumeSource, { pointer: true }),
  cinder: field(8, CinderPersistentVolumeSource, { pointer: true }),
  cephfs: field(9, CephFSPersistentVolumeSource, { pointer: true }),
  fc: field(10, FCVolumeSource, { pointer: true }),
  flocker: field(11, FlockerVolumeSource, { pointer: true }),
  flexVolume: field(12, FlexPersistentVolumeSource, { pointer: true }),
  azureFile: field(13, AzureFilePersistentVolumeSource, { pointer: true }),
  vsphereVolume: field(14, VsphereVirtualDiskVolumeSource, { pointer: true }),
  quobyte: field(15, QuobyteVolumeSource, { pointer: true }),
  azureDisk: field(16, AzureDiskVolumeSource, { pointer: true }),
  photonPersistentDisk: field(17, PhotonPersistentDiskVolumeSource, { pointer: true }),
  portworxVolume: field(18, PortworxVolumeSource, { pointer: true }),
  scaleIO: field(19, ScaleIOPersistentVolumeSource, { pointer: true }),
  local: field(20, LocalVolumeSource, { pointer: true }),
  storageos: field(21, StorageOSPersistentVolumeSource, { pointer: true }),
  csi: field(22, CSIPersistentVolumeSource, { pointer: true }),
}));

export const GlusterfsPersistentVolumeSource = struct('core/v1.GlusterfsPersistentVolumeSource', () => ({
  endpoints: field(1, string, { required: true, always: true }),
  path: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
  endpointsNamespace: field(4, string, { pointer: true }),
}));

export const RBDPersistentVolumeSource = struct('core/v1.RBDPersistentVolumeSource', () => ({
  monitors: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  image: field(2, string, { required: true, always: true }),
  fsType: field(3, string),
  pool: field(4, string, { default: 'rbd' }),
  user: field(5, string, { default: 'admin' }),
  keyring: field(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: field(7, SecretReference, { pointer: true }),
  readOnly: field(8, bool),
}));

export const ISCSIPersistentVolumeSource = struct('core/v1.ISCSIPersistentVolumeSource', () => ({
  targetPortal: field(1, string, { required: true, always: true }),
  iqn: field(2, string, { required: true, always: true }),
  lun: field(3, int32, { required: true, always: true }),
  iscsiInterface: field(4, string, { default: 'default' }),
  fsType: field(5, string),
  readOnly: field(6, bool),
  portals: field(7, listOf(string), { list: 'atomic' }),
  chapAuthDiscovery: field(8, bool),
  chapAuthSession: field(11, bool),
  secretRef: field(10, SecretReference, { pointer: true }),
  initiatorName: field(12, string, { pointer: true }),
}));

export const CinderPersistentVolumeSource = struct('core/v1.CinderPersistentVolumeSource', () => ({
  volumeID: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  readOnly: field(3, bool),
  secretRef: field(4, SecretReference, { pointer: true }),
}));

export const CephFSPersistentVolumeSource = struct('core/v1.CephFSPersistentVolumeSource', () => ({
  monitors: field(1, listOf(string), { required: true, always: true, list: 'atomic' }),
  path: field(2, string),
  user: field(3, string),
  secretFile: field(4, string),
  secretRef: field(5, SecretReference, { pointer: true }),
  readOnly: field(6, bool),
}));

export const FlexPersistentVolumeSource = struct('core/v1.FlexPersistentVolumeSource', () => ({
  driver: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  secretRef: field(3, SecretReference, { pointer: true }),
  readOnly: field(4, bool),
  options: field(5, mapOf(string)),
}));

export const AzureFilePersistentVolumeSource = struct('core/v1.AzureFilePersistentVolumeSource', () => ({
  secretName: field(1, string, { required: true, always: true }),
  shareName: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
  secretNamespace: field(4, string, { pointer: true, always: true }),
}));

export const ScaleIOPersistentVolumeSource = struct('core/v1.ScaleIOPersistentVolumeSource', () => ({
  gateway: field(1, string, { required: true, always: true }),
  system: field(2, string, { required: true, always: true }),
  secretRef: field(3, SecretReference, { required: true, pointer: true, always: true }),
  sslEnabled: field(4, bool),
  protectionDomain: field(5, string),
  storagePool: field(6, string),
  storageMode: field(7, string, { default: 'ThinProvisioned' }),
  volumeName: field(8, string),
  fsType: field(9, string, { default: 'xfs' }),
  readOnly: field(10, bool),
}));

export const LocalVolumeSource = struct('core/v1.LocalVolumeSource', () => ({
  path: field(1, string, { required: true, always: true }),
  fsType: field(2, string, { pointer: true }),
}));

export const StorageOSPersistentVolumeSource = struct('core/v1.StorageOSPersistentVolumeSource', () => ({
  volumeName: field(1, string),
  volumeNamespace: field(2, string),
  fsType: field(3, string),
  readOnly: field(4, bool),
  secretRef: field(5, ObjectReference, { pointer: true }),
}));

export const CSIPersistentVolumeSource = struct('core/v1.CSIPersistentVolumeSource', () => ({
  driver: field(1, string, { required: true, always: true }),
  volumeHandle: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
  fsType: field(4, string),
  volumeAttributes: field(5, mapOf(string)),
  controllerPublishSecretRef: field(6, SecretReference, { pointer: true }),
  nodeStageSecretRef: field(7, SecretReference, { pointer: true }),
  nodePublishSecretRef: field(8, SecretReference, { pointer: true }),
  controllerExpandSecretRef: field(9, SecretReference, { pointer: true }),
  nodeExpandSecretRef: field(10, SecretReference, { pointer: true }),
}));
