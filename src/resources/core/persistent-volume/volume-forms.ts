import { flag, type InternalShape, number, optional, part, text } from './internal-form.ts';

// The internal forms of volumes and claims, for messages that show them whole.

const secretReference: InternalShape = { Name: text('name'), Namespace: text('namespace') };
const secretRef = (from = 'secretRef') => optional(from, secretReference);

const objectReference: InternalShape = {
  Kind: text('kind'),
  Namespace: text('namespace'),
  Name: text('name'),
  UID: text('uid'),
  APIVersion: text('apiVersion'),
  ResourceVersion: text('resourceVersion'),
  FieldPath: text('fieldPath'),
};

const gcePersistentDisk: InternalShape = {
  PDName: text('pdName'),
  FSType: text('fsType'),
  Partition: number('partition'),
  ReadOnly: flag('readOnly'),
};
const awsElasticBlockStore: InternalShape = {
  VolumeID: text('volumeID'),
  FSType: text('fsType'),
  Partition: number('partition'),
  ReadOnly: flag('readOnly'),
};
const hostPath: InternalShape = { Path: text('path'), Type: optional('type') };
const glusterfs: InternalShape = {
  EndpointsName: text('endpoints'),
  Path: text('path'),
  ReadOnly: flag('readOnly'),
  EndpointsNamespace: optional('endpointsNamespace'),
};
const nfs: InternalShape = { Server: text('server'), Path: text('path'), ReadOnly: flag('readOnly') };
const rbd: InternalShape = {
  CephMonitors: optional('monitors'),
  RBDImage: text('image'),
  FSType: text('fsType'),
  RBDPool: text('pool'),
  RadosUser: text('user'),
  Keyring: text('keyring'),
  SecretRef: secretRef(),
  ReadOnly: flag('readOnly'),
};
const quobyte: InternalShape = {
  Registry: text('registry'),
  Volume: text('volume'),
  ReadOnly: flag('readOnly'),
  User: text('user'),
  Group: text('group'),
  Tenant: text('tenant'),
};
const iscsi: InternalShape = {
  TargetPortal: text('targetPortal'),
  IQN: text('iqn'),
  Lun: number('lun'),
  ISCSIInterface: text('iscsiInterface'),
  FSType: text('fsType'),
  ReadOnly: flag('readOnly'),
  Portals: optional('portals'),
  DiscoveryCHAPAuth: flag('chapAuthDiscovery'),
  SessionCHAPAuth: flag('chapAuthSession'),
  SecretRef: secretRef(),
  InitiatorName: optional('initiatorName'),
};
const flexVolume: InternalShape = {
  Driver: text('driver'),
  FSType: text('fsType'),
  SecretRef: secretRef(),
  ReadOnly: flag('readOnly'),
  Options: optional('options'),
};
const cinder: InternalShape = {
  VolumeID: text('volumeID'),
  FSType: text('fsType'),
  ReadOnly: flag('readOnly'),
  SecretRef: secretRef(),
};
const cephfs: InternalShape = {
  Monitors: optional('monitors'),
  Path: text('path'),
  User: text('user'),
  SecretFile: text('secretFile'),
  SecretRef: secretRef(),
  ReadOnly: flag('readOnly'),
};
const fc: InternalShape = {
  TargetWWNs: optional('targetWWNs'),
  Lun: optional('lun'),
  FSType: text('fsType'),
  ReadOnly: flag('readOnly'),
  WWIDs: optional('wwids'),
};
const flocker: InternalShape = { DatasetName: text('datasetName'), DatasetUUID: text('datasetUUID') };
const azureFile: InternalShape = {
  SecretName: text('secretName'),
  ShareName: text('shareName'),
  ReadOnly: flag('readOnly'),
  SecretNamespace: optional('secretNamespace'),
};
const vsphereVolume: InternalShape = {
  VolumePath: text('volumePath'),
  FSType: text('fsType'),
  StoragePolicyName: text('storagePolicyName'),
  StoragePolicyID: text('storagePolicyID'),
};
const azureDisk: InternalShape = {
  DiskName: text('diskName'),
  DataDiskURI: text('diskURI'),
  CachingMode: optional('cachingMode'),
  FSType: optional('fsType'),
  ReadOnly: optional('readOnly'),
  Kind: optional('kind'),
};
const photonPersistentDisk: InternalShape = { PdID: text('pdID'), FSType: text('fsType') };
const portworxVolume: InternalShape = {
  VolumeID: text('volumeID'),
  FSType: text('fsType'),
  ReadOnly: flag('readOnly'),
};
const scaleIO: InternalShape = {
  Gateway: text('gateway'),
  System: text('system'),
  SecretRef: secretRef(),
  SSLEnabled: flag('sslEnabled'),
  ProtectionDomain: text('protectionDomain'),
  StoragePool: text('storagePool'),
  StorageMode: text('storageMode'),
  VolumeName: text('volumeName'),
  FSType: text('fsType'),
  ReadOnly: flag('readOnly'),
};
const local: InternalShape = { Path: text('path'), FSType: optional('fsType') };
const storageos: InternalShape = {
  VolumeName: text('volumeName'),
  VolumeNamespace: text('volumeNamespace'),
  FSType: text('fsType'),
  ReadOnly: flag('readOnly'),
  SecretRef: optional('secretRef', objectReference),
};
const csi: InternalShape = {
  Driver: text('driver'),
  VolumeHandle: text('volumeHandle'),
  ReadOnly: flag('readOnly'),
  FSType: text('fsType'),
  VolumeAttributes: optional('volumeAttributes'),
  ControllerPublishSecretRef: secretRef('controllerPublishSecretRef'),
  NodeStageSecretRef: secretRef('nodeStageSecretRef'),
  NodePublishSecretRef: secretRef('nodePublishSecretRef'),
  ControllerExpandSecretRef: secretRef('controllerExpandSecretRef'),
  NodeExpandSecretRef: secretRef('nodeExpandSecretRef'),
};

/** Of a volume's spec, whose own fields its source's are. */
export const volumeSourceForm: InternalShape = {
  GCEPersistentDisk: optional('gcePersistentDisk', gcePersistentDisk),
  AWSElasticBlockStore: optional('awsElasticBlockStore', awsElasticBlockStore),
  HostPath: optional('hostPath', hostPath),
  Glusterfs: optional('glusterfs', glusterfs),
  NFS: optional('nfs', nfs),
  RBD: optional('rbd', rbd),
  Quobyte: optional('quobyte', quobyte),
  ISCSI: optional('iscsi', iscsi),
  FlexVolume: optional('flexVolume', flexVolume),
  Cinder: optional('cinder', cinder),
  CephFS: optional('cephfs', cephfs),
  FC: optional('fc', fc),
  Flocker: optional('flocker', flocker),
  AzureFile: optional('azureFile', azureFile),
  VsphereVolume: optional('vsphereVolume', vsphereVolume),
  AzureDisk: optional('azureDisk', azureDisk),
  PhotonPersistentDisk: optional('photonPersistentDisk', photonPersistentDisk),
  PortworxVolume: optional('portworxVolume', portworxVolume),
  ScaleIO: optional('scaleIO', scaleIO),
  Local: optional('local', local),
  StorageOS: optional('storageos', storageos),
  CSI: optional('csi', csi),
};

const nodeSelectorRequirement: InternalShape = {
  Key: text('key'),
  Operator: text('operator'),
  Values: optional('values'),
};

export const nodeSelectorTermForm: InternalShape = {
  MatchExpressions: optional('matchExpressions', nodeSelectorRequirement),
  MatchFields: optional('matchFields', nodeSelectorRequirement),
};

export const nodeSelectorForm: InternalShape = {
  NodeSelectorTerms: optional('nodeSelectorTerms', nodeSelectorTermForm),
};

export const volumeNodeAffinityForm: InternalShape = { Required: optional('required', nodeSelectorForm) };

export const volumeSpecForm: InternalShape = {
  Capacity: optional('capacity'),
  ...volumeSourceForm,
  AccessModes: optional('accessModes'),
  ClaimRef: optional('claimRef', objectReference),
  PersistentVolumeReclaimPolicy: text('persistentVolumeReclaimPolicy'),
  StorageClassName: text('storageClassName'),
  MountOptions: optional('mountOptions'),
  VolumeMode: optional('volumeMode'),
  NodeAffinity: optional('nodeAffinity', volumeNodeAffinityForm),
  VolumeAttributesClassName: optional('volumeAttributesClassName'),
};

const localReference: InternalShape = { APIGroup: optional('apiGroup'), Kind: text('kind'), Name: text('name') };
const resourceRequirements: InternalShape = { Limits: optional('limits'), Requests: optional('requests') };

export const claimSpecForm: InternalShape = {
  AccessModes: optional('accessModes'),
  Selector: optional('selector'),
  Resources: part('resources', resourceRequirements),
  VolumeName: text('volumeName'),
  StorageClassName: optional('storageClassName'),
  VolumeMode: optional('volumeMode'),
  DataSource: optional('dataSource', localReference),
  DataSourceRef: optional('dataSourceRef', { ...localReference, Namespace: optional('namespace') }),
  VolumeAttributesClassName: optional('volumeAttributesClassName'),
};
