import { fieldRefForm, localReferenceForm, resourceFieldRefForm } from './container-go-form.ts';
import { goBool, goList, goNullable, goNumber, goPointer, goString, goStruct } from './go-form.ts';

const reference = goPointer(localReferenceForm);
const items = goList(goStruct({ Key: goString, Path: goString, Mode: goNullable }));
const downwardFiles = goList(
  goStruct({ Path: goString, FieldRef: fieldRefForm, ResourceFieldRef: resourceFieldRefForm, Mode: goNullable }),
);
const keyProjection = goPointer(goStruct({ Name: goString, Items: items, Optional: goNullable }));
const fsType = ['fsType', goString] as const;

const projection = goStruct({
  Secret: keyProjection,
  DownwardAPI: ['downwardAPI', goPointer(goStruct({ Items: downwardFiles }))],
  ConfigMap: keyProjection,
  ServiceAccountToken: goPointer(goStruct({ Audience: goString, ExpirationSeconds: goNumber, Path: goString })),
  ClusterTrustBundle: goNullable,
  PodCertificate: goNullable,
});

/** Its metadata is a type of its own, which keeps the names that clients know. */
const claimTemplate = goPointer((value) => {
  const { metadata, spec } = value as { metadata?: object; spec?: unknown };
  return { ...metadata, Spec: claimSpec(spec) };
});

const claimSpec = goStruct({
  AccessModes: goNullable,
  Selector: goNullable,
  Resources: goStruct({ Limits: goNullable, Requests: goNullable }),
  VolumeName: goString,
  StorageClassName: goNullable,
  VolumeMode: goNullable,
  DataSource: goNullable,
  DataSourceRef: goNullable,
  VolumeAttributesClassName: goNullable,
});

export const volumeForm = goStruct({
  Name: goString,
  HostPath: goPointer(goStruct({ Path: goString, Type: goNullable })),
  EmptyDir: goPointer(goStruct({ Medium: goString, SizeLimit: goNullable })),
  GCEPersistentDisk: [
    'gcePersistentDisk',
    goPointer(goStruct({ PDName: ['pdName', goString], FSType: fsType, Partition: goNumber, ReadOnly: goBool })),
  ],
  AWSElasticBlockStore: [
    'awsElasticBlockStore',
    goPointer(goStruct({ VolumeID: ['volumeID', goString], FSType: fsType, Partition: goNumber, ReadOnly: goBool })),
  ],
  GitRepo: goPointer(goStruct({ Repository: goString, Revision: goString, Directory: goString })),
  Secret: goPointer(goStruct({ SecretName: goString, Items: items, DefaultMode: goNullable, Optional: goNullable })),
  NFS: goPointer(goStruct({ Server: goString, Path: goString, ReadOnly: goBool })),
  ISCSI: goPointer(
    goStruct({
      TargetPortal: goString,
      IQN: goString,
      Lun: goNumber,
      ISCSIInterface: ['iscsiInterface', goString],
      FSType: fsType,
      ReadOnly: goBool,
      Portals: goNullable,
      DiscoveryCHAPAuth: ['chapAuthDiscovery', goBool],
      SessionCHAPAuth: ['chapAuthSession', goBool],
      SecretRef: reference,
      InitiatorName: goNullable,
    }),
  ),
  Glusterfs: goPointer(goStruct({ EndpointsName: ['endpoints', goString], Path: goString, ReadOnly: goBool })),
  PersistentVolumeClaim: goPointer(goStruct({ ClaimName: goString, ReadOnly: goBool })),
  RBD: goPointer(
    goStruct({
      CephMonitors: ['monitors', goNullable],
      RBDImage: ['image', goString],
      FSType: fsType,
      RBDPool: ['pool', goString],
      RadosUser: ['user', goString],
      Keyring: goString,
      SecretRef: reference,
      ReadOnly: goBool,
    }),
  ),
  Quobyte: goPointer(
    goStruct({
      Registry: goString,
      Volume: goString,
      ReadOnly: goBool,
      User: goString,
      Group: goString,
      Tenant: goString,
    }),
  ),
  FlexVolume: goPointer(
    goStruct({ Driver: goString, FSType: fsType, SecretRef: reference, ReadOnly: goBool, Options: goNullable }),
  ),
  Cinder: goPointer(
    goStruct({ VolumeID: ['volumeID', goString], FSType: fsType, ReadOnly: goBool, SecretRef: reference }),
  ),
  CephFS: [
    'cephfs',
    goPointer(
      goStruct({
        Monitors: goNullable,
        Path: goString,
        User: goString,
        SecretFile: goString,
        SecretRef: reference,
        ReadOnly: goBool,
      }),
    ),
  ],
  Flocker: goPointer(goStruct({ DatasetName: goString, DatasetUUID: ['datasetUUID', goString] })),
  DownwardAPI: ['downwardAPI', goPointer(goStruct({ Items: downwardFiles, DefaultMode: goNullable }))],
  FC: goPointer(
    goStruct({
      TargetWWNs: ['targetWWNs', goNullable],
      Lun: goNullable,
      FSType: fsType,
      ReadOnly: goBool,
      WWIDs: ['wwids', goNullable],
    }),
  ),
  AzureFile: goPointer(goStruct({ SecretName: goString, ShareName: goString, ReadOnly: goBool })),
  ConfigMap: goPointer(goStruct({ Name: goString, Items: items, DefaultMode: goNullable, Optional: goNullable })),
  VsphereVolume: goPointer(
    goStruct({
      VolumePath: goString,
      FSType: fsType,
      StoragePolicyName: goString,
      StoragePolicyID: ['storagePolicyID', goString],
    }),
  ),
  AzureDisk: goPointer(
    goStruct({
      DiskName: goString,
      DataDiskURI: ['diskURI', goString],
      CachingMode: goNullable,
      FSType: ['fsType', goNullable],
      ReadOnly: goNullable,
      Kind: goNullable,
    }),
  ),
  PhotonPersistentDisk: goPointer(goStruct({ PdID: ['pdID', goString], FSType: fsType })),
  Projected: goPointer(goStruct({ Sources: goList(projection), DefaultMode: goNullable })),
  PortworxVolume: goPointer(goStruct({ VolumeID: ['volumeID', goString], FSType: fsType, ReadOnly: goBool })),
  ScaleIO: [
    'scaleIO',
    goPointer(
      goStruct({
        Gateway: goString,
        System: goString,
        SecretRef: reference,
        SSLEnabled: ['sslEnabled', goBool],
        ProtectionDomain: goString,
        StoragePool: goString,
        StorageMode: goString,
        VolumeName: goString,
        FSType: fsType,
        ReadOnly: goBool,
      }),
    ),
  ],
  StorageOS: [
    'storageos',
    goPointer(
      goStruct({
        VolumeName: goString,
        VolumeNamespace: goString,
        FSType: fsType,
        ReadOnly: goBool,
        SecretRef: reference,
      }),
    ),
  ],
  CSI: goPointer(
    goStruct({
      Driver: goString,
      ReadOnly: goNullable,
      FSType: ['fsType', goNullable],
      VolumeAttributes: goNullable,
      NodePublishSecretRef: reference,
    }),
  ),
  Ephemeral: goPointer(goStruct({ VolumeClaimTemplate: claimTemplate })),
  Image: goPointer(goStruct({ Reference: goString, PullPolicy: goString })),
});
