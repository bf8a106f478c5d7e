import { bool, field, int32, listOf, namedString, string, struct } from '../../schema/builders.ts';

// Volume sources that pods and persistent volumes share.

export const HostPathVolumeSource = struct('core/v1.HostPathVolumeSource', () => ({
  path: field(1, string, { required: true, always: true }),
  type: field(2, namedString('core/v1.HostPathType'), {
    pointer: true,
    defaulted: true,
    enum: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
  }),
}));

export const GCEPersistentDiskVolumeSource = struct('core/v1.GCEPersistentDiskVolumeSource', () => ({
  pdName: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  partition: field(3, int32),
  readOnly: field(4, bool),
}));

export const AWSElasticBlockStoreVolumeSource = struct('core/v1.AWSElasticBlockStoreVolumeSource', () => ({
  volumeID: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  partition: field(3, int32),
  readOnly: field(4, bool),
}));

export const NFSVolumeSource = struct('core/v1.NFSVolumeSource', () => ({
  server: field(1, string, { required: true, always: true }),
  path: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
}));

export const FlockerVolumeSource = struct('core/v1.FlockerVolumeSource', () => ({
  datasetName: field(1, string),
  datasetUUID: field(2, string),
}));

export const FCVolumeSource = struct('core/v1.FCVolumeSource', () => ({
  targetWWNs: field(1, listOf(string), { list: 'atomic' }),
  lun: field(2, int32, { pointer: true }),
  fsType: field(3, string),
  readOnly: field(4, bool),
  wwids: field(5, listOf(string), { list: 'atomic' }),
}));

export const VsphereVirtualDiskVolumeSource = struct('core/v1.VsphereVirtualDiskVolumeSource', () => ({
  volumePath: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  storagePolicyName: field(3, string),
  storagePolicyID: field(4, string),
}));

export const QuobyteVolumeSource = struct('core/v1.QuobyteVolumeSource', () => ({
  registry: field(1, string, { required: true, always: true }),
  volume: field(2, string, { required: true, always: true }),
  readOnly: field(3, bool),
  user: field(4, string),
  group: field(5, string),
  tenant: field(6, string),
}));

export const AzureDiskVolumeSource = struct('core/v1.AzureDiskVolumeSource', () => ({
  diskName: field(1, string, { required: true, always: true }),
  diskURI: field(2, string, { required: true, always: true }),
  cachingMode: field(3, namedString('core/v1.AzureDataDiskCachingMode'), {
    pointer: true,
    default: 'ReadWrite',
    enum: ['None', 'ReadOnly', 'ReadWrite'],
  }),
  fsType: field(4, string, { pointer: true, default: 'ext4' }),
  readOnly: field(5, bool, { pointer: true, default: false }),
  kind: field(6, namedString('core/v1.AzureDataDiskKind'), {
    pointer: true,
    default: 'Shared',
    enum: ['Dedicated', 'Managed', 'Shared'],
  }),
}));

export const PhotonPersistentDiskVolumeSource = struct('core/v1.PhotonPersistentDiskVolumeSource', () => ({
  pdID: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
}));

export const PortworxVolumeSource = struct('core/v1.PortworxVolumeSource', () => ({
  volumeID: field(1, string, { required: true, always: true }),
  fsType: field(2, string),
  readOnly: field(3, bool),
}));
