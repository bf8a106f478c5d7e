import type { TypeTexts } from './type-texts.ts';

const fsType = 'File system of the volume, such as `ext4` or `xfs`. Default `ext4` or what the driver decides.';
const readOnly = 'Mount the volume read-only. Default false.';
const partition = 'Number of the partition to mount. Zero or absent: the whole disk.';
const items = 'Which entries become files. Default: all, each in a file named by its key.';
const defaultMode = 'Permission bits of files that set none. Decimal in JSON; YAML also takes octal. Default 0644.';
const optional = 'Do not fail if the object or a listed key is missing. Default false.';

const cephFs = {
  monitors: 'Addresses of the Ceph monitors.',
  path: 'Directory to mount as root. Default `/`.',
  user: 'User of Ceph. Default `admin`.',
  secretFile: 'File on the node with the key of the user. Default `/etc/ceph/user.secret`.',
  secretRef: 'Secret with the key of the user. It wins over `secretFile`.',
  readOnly,
};
const cinder = {
  volumeID: 'ID of the Cinder volume.',
  fsType,
  readOnly,
  secretRef: 'Secret with parameters for the connection to OpenStack.',
};
const flex = {
  driver: 'Name of the FlexVolume driver.',
  fsType,
  secretRef: 'Secret that is passed to the driver.',
  readOnly,
  options: 'Options for the driver.',
};
const glusterfs = {
  endpoints: 'Endpoints object with the addresses of the Gluster hosts.',
  path: 'Name of the Gluster volume.',
  readOnly,
};
const iscsi = {
  targetPortal: 'Address of the target, with a port if it is not 3260.',
  iqn: 'Qualified name of the target.',
  lun: 'Number of the logical unit.',
  iscsiInterface: 'Interface of the initiator. Default `default`, which is TCP.',
  fsType,
  readOnly,
  portals: 'Further addresses of the target.',
  chapAuthDiscovery: 'Use CHAP for discovery.',
  chapAuthSession: 'Use CHAP for the session.',
  secretRef: 'Secret with the CHAP credentials.',
  initiatorName: 'Name of the initiator, if it is not that of the node.',
};
const rbd = {
  monitors: 'Addresses of the Ceph monitors.',
  image: 'Name of the image.',
  fsType,
  pool: 'Pool of the image. Default `rbd`.',
  user: 'User of Ceph. Default `admin`.',
  keyring: 'File on the node with the key. Default `/etc/ceph/keyring`.',
  secretRef: 'Secret with the key. It wins over `keyring`.',
  readOnly,
};
const scaleIo = {
  gateway: 'Address of the ScaleIO gateway.',
  system: 'Name of the storage system.',
  secretRef: 'Secret with the login.',
  sslEnabled: 'Use TLS to the gateway. Default false.',
  protectionDomain: 'Protection domain of the storage.',
  storagePool: 'Pool of the storage.',
  storageMode: 'ThickProvisioned or ThinProvisioned. Default ThinProvisioned.',
  volumeName: 'Name of the volume.',
  fsType: 'File system of the volume. Default `xfs`.',
  readOnly,
};
const storageOs = {
  volumeName: 'Name of the StorageOS volume.',
  volumeNamespace: 'StorageOS namespace of the volume. Default: the namespace of the pod.',
  fsType,
  readOnly,
  secretRef: 'Secret with the StorageOS credentials.',
};
const azureFile = {
  secretName: 'Secret with the name and key of the storage account.',
  shareName: 'Name of the share.',
  readOnly,
};

/** Sources that volumes of pods and persistent volumes have in common. Some of them are no longer usable. */
const sharedSources = {
  gcePersistentDisk: 'Deprecated. A disk of Google Compute Engine, served by its CSI driver.',
  awsElasticBlockStore: 'Deprecated. A disk of AWS, served by its CSI driver.',
  hostPath: 'A file or directory of the node. Gives access to the node; use with care.',
  glusterfs: 'Deprecated; no longer supported by nodes. A Gluster volume.',
  nfs: 'A directory of an NFS server.',
  rbd: 'Deprecated; no longer supported by nodes. A Ceph block device.',
  iscsi: 'An iSCSI disk.',
  cinder: 'Deprecated. A disk of OpenStack, served by its CSI driver.',
  cephfs: 'Deprecated; no longer supported by nodes. A Ceph file system.',
  fc: 'A Fibre Channel disk.',
  flocker: 'Deprecated; no longer supported by nodes. A Flocker dataset.',
  flexVolume: 'Deprecated. A volume of a FlexVolume driver; use CSI.',
  azureFile: 'Deprecated. A file share of Azure, served by its CSI driver.',
  vsphereVolume: 'Deprecated. A disk of vSphere, served by its CSI driver.',
  quobyte: 'Deprecated; no longer supported by nodes. A Quobyte volume.',
  azureDisk: 'Deprecated. A disk of Azure, served by its CSI driver.',
  photonPersistentDisk: 'Deprecated; no longer supported by nodes. A disk of Photon Controller.',
  portworxVolume: 'Deprecated. A Portworx volume, served by its CSI driver.',
  scaleIO: 'Deprecated; no longer supported by nodes. A ScaleIO volume.',
  storageos: 'Deprecated; no longer supported by nodes. A StorageOS volume.',
};

/** The sources of the data of volumes. */
export const coreV1Volumes: TypeTexts = {
  AWSElasticBlockStoreVolumeSource: {
    '': 'A disk of AWS Elastic Block Store.',
    volumeID: 'ID of the disk.',
    fsType,
    partition,
    readOnly,
  },
  AzureDiskVolumeSource: {
    '': 'A disk of Azure.',
    diskName: 'Name of the disk.',
    diskURI: 'URI of the disk.',
    cachingMode: 'None, ReadOnly or ReadWrite. Default ReadWrite.',
    fsType: 'File system of the disk. Default `ext4`.',
    readOnly,
    kind: 'Shared, Dedicated or Managed. Default Shared.',
  },
  AzureFilePersistentVolumeSource: {
    '': 'A file share of Azure for a persistent volume.',
    ...azureFile,
    secretNamespace: 'Namespace of the secret. Default: the namespace of the claim.',
  },
  AzureFileVolumeSource: { '': 'A file share of Azure for a pod.', ...azureFile },
  CSIPersistentVolumeSource: {
    '': 'A volume of a CSI driver.',
    driver: 'Name of the driver.',
    volumeHandle: 'ID of the volume as the driver returned it when it created the volume.',
    readOnly: 'Attach and publish the volume read-only. Default false.',
    fsType: 'File system of the volume. Default: what the driver decides.',
    volumeAttributes: 'Properties of the volume, passed to the driver.',
    controllerPublishSecretRef: 'Secret for attaching and detaching the volume.',
    nodeStageSecretRef: 'Secret for staging the volume on a node.',
    nodePublishSecretRef: 'Secret for mounting the volume for a pod.',
    controllerExpandSecretRef: 'Secret for expanding the volume.',
    nodeExpandSecretRef: 'Secret for expanding the volume on a node.',
  },
  CSIVolumeSource: {
    '': 'An ephemeral volume that a CSI driver provides for one pod.',
    driver: 'Name of the driver.',
    readOnly,
    fsType: 'File system of the volume. Default: what the driver decides.',
    volumeAttributes: 'Properties for the driver; its documentation says which.',
    nodePublishSecretRef: 'Secret for mounting the volume, in the namespace of the pod.',
  },
  CephFSPersistentVolumeSource: { '': 'A Ceph file system for a persistent volume.', ...cephFs },
  CephFSVolumeSource: { '': 'A Ceph file system for a pod.', ...cephFs },
  CinderPersistentVolumeSource: { '': 'A disk of OpenStack for a persistent volume.', ...cinder },
  CinderVolumeSource: { '': 'A disk of OpenStack for a pod.', ...cinder },
  ClusterTrustBundleProjection: {
    '': 'Certificates of trust bundles as one file in PEM. Either one bundle by name or all of a signer.',
    name: 'The ClusterTrustBundle. Excludes `signerName` and `labelSelector`.',
    signerName: 'Take all bundles of this signer that `labelSelector` selects. Excludes `name`.',
    labelSelector: 'Selects bundles of the signer. Absent selects none, empty selects all.',
    optional: 'Do not fail if there is no such bundle; the file is then empty. Default false.',
    path: 'Path of the file within the volume.',
  },
  ConfigMapProjection: {
    '': 'Entries of a config map as files of a projected volume.',
    items,
    optional,
  },
  ConfigMapVolumeSource: {
    '': 'Entries of a config map as files.',
    items,
    defaultMode,
    optional,
  },
  DownwardAPIProjection: {
    '': 'Values of the pod as files of a projected volume.',
    items: 'The files.',
  },
  DownwardAPIVolumeFile: {
    '': 'A file with a value of the pod. One of the two sources is set.',
    path: 'Path of the file within the volume. Relative and without `..`.',
    fieldRef: 'A field of the pod: its annotations, labels, name, namespace or uid.',
    resourceFieldRef: 'A limit or request of a container.',
    mode: 'Permission bits of the file. Default: `defaultMode` of the volume.',
  },
  DownwardAPIVolumeSource: {
    '': 'Values of the pod as files.',
    items: 'The files.',
    defaultMode,
  },
  EmptyDirVolumeSource: {
    '': 'A directory that is empty at first and lives as long as the pod.',
    medium:
      'Empty for the disk of the node, Memory for a file system in memory, HugePages for huge pages. Default empty.',
    sizeLimit:
      'The most that the volume may hold. The pod is evicted beyond it. Memory counts against the limits of the ' +
      'containers.',
  },
  EphemeralVolumeSource: {
    '': 'A volume from a claim that is made for the pod and deleted with it.',
    volumeClaimTemplate: 'The claim, which will be named `<pod>-<volume>`.',
  },
  FCVolumeSource: {
    '': 'A Fibre Channel disk, named by target and unit or by world wide ID.',
    targetWWNs: 'World wide names of the target. With `lun`.',
    lun: 'Number of the logical unit.',
    fsType,
    readOnly,
    wwids: 'World wide IDs of the disk. Instead of `targetWWNs` and `lun`.',
  },
  FlexPersistentVolumeSource: { '': 'A volume of a FlexVolume driver for a persistent volume.', ...flex },
  FlexVolumeSource: { '': 'A volume of a FlexVolume driver for a pod.', ...flex },
  FlockerVolumeSource: {
    '': 'A Flocker dataset, by name or by UUID.',
    datasetName: 'Name of the dataset. Deprecated.',
    datasetUUID: 'UUID of the dataset.',
  },
  GCEPersistentDiskVolumeSource: {
    '': 'A disk of Google Compute Engine.',
    pdName: 'Name of the disk.',
    fsType,
    partition,
    readOnly,
  },
  GitRepoVolumeSource: {
    '': 'A checkout of a Git repository. Deprecated; clone in an init container instead.',
    repository: 'URL of the repository.',
    revision: 'Commit to check out.',
    directory: 'Directory for the checkout; `.` is the root of the volume. Without `..`.',
  },
  GlusterfsPersistentVolumeSource: {
    '': 'A Gluster volume for a persistent volume.',
    ...glusterfs,
    endpointsNamespace: 'Namespace of the Endpoints object. Default: the namespace of the claim.',
  },
  GlusterfsVolumeSource: { '': 'A Gluster volume for a pod.', ...glusterfs },
  HostPathVolumeSource: {
    '': 'A file or directory of the node.',
    path: 'Path on the node. Symbolic links are followed.',
    type:
      'What must be there: Directory, File, Socket, CharDevice or BlockDevice. DirectoryOrCreate and FileOrCreate ' +
      'make it. Default: no check.',
  },
  ISCSIPersistentVolumeSource: { '': 'An iSCSI disk for a persistent volume.', ...iscsi },
  ISCSIVolumeSource: { '': 'An iSCSI disk for a pod.', ...iscsi },
  ImageVolumeSource: {
    '': 'The content of an image or artifact, mounted read-only.',
    reference: 'Name of the image or artifact.',
    pullPolicy: 'Always, Never or IfNotPresent. Default Always for the tag `latest`, else IfNotPresent.',
  },
  ImageVolumeStatus: {
    '': 'The image that a volume shows.',
    imageRef: 'Digest of the image.',
  },
  KeyToPath: {
    '': 'Maps an entry to a file.',
    key: 'Key of the entry.',
    path: 'Path of the file within the volume. Relative and without `..`.',
    mode: 'Permission bits of the file. Default: `defaultMode` of the volume.',
  },
  LocalVolumeSource: {
    '': 'A disk, partition or directory of one node.',
    path: 'Path on the node.',
    fsType: 'File system, for block devices only. Default: it is detected.',
  },
  NFSVolumeSource: {
    '': 'A directory of an NFS server.',
    server: 'Name or address of the server.',
    path: 'Exported path.',
    readOnly,
  },
  PersistentVolumeClaimVolumeSource: {
    '': 'The volume of a claim in the namespace of the pod.',
    claimName: 'Name of the claim.',
    readOnly: 'Make all mounts of the volume read-only. Default false.',
  },
  PersistentVolumeSource: {
    '': 'The storage behind a persistent volume. Exactly one field is set.',
    ...sharedSources,
    local: 'A disk or directory of one node.',
    csi: 'A volume of a CSI driver.',
  },
  PhotonPersistentDiskVolumeSource: {
    '': 'A disk of Photon Controller.',
    pdID: 'ID of the disk.',
    fsType,
  },
  PodCertificateProjection: {
    '': 'A private key and a certificate for the pod, requested and renewed by the kubelet.',
    signerName: 'The signer that issues the certificate.',
    keyType: 'Kind of key: RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519.',
    maxExpirationSeconds:
      'The longest lifetime of the certificate in seconds, at least 3600. The signer may choose less. Default 86400.',
    credentialBundlePath: 'File with the private key followed by the certificate chain, in PEM.',
    keyPath: 'File with the private key alone. Key and chain in separate files may not match during a renewal.',
    certificateChainPath: 'File with the certificate chain alone.',
    userAnnotations: 'Keys and values that are passed to the signer without being interpreted.',
  },
  PortworxVolumeSource: {
    '': 'A Portworx volume.',
    volumeID: 'ID of the volume.',
    fsType,
    readOnly,
  },
  ProjectedVolumeSource: {
    '': 'Files from several sources in one directory.',
    sources: 'The sources.',
    defaultMode,
  },
  QuobyteVolumeSource: {
    '': 'A Quobyte volume.',
    registry: 'Addresses of the registry as `host:port`, separated by commas.',
    volume: 'Name of the volume.',
    readOnly,
    user: 'User that the volume is mounted as. Default: the user of the service account.',
    group: 'Group that the volume is mounted as. Default none.',
    tenant: 'Tenant that owns the volume.',
  },
  RBDPersistentVolumeSource: { '': 'A Ceph block device for a persistent volume.', ...rbd },
  RBDVolumeSource: { '': 'A Ceph block device for a pod.', ...rbd },
  ScaleIOPersistentVolumeSource: { '': 'A ScaleIO volume for a persistent volume.', ...scaleIo },
  ScaleIOVolumeSource: { '': 'A ScaleIO volume for a pod.', ...scaleIo },
  SecretProjection: {
    '': 'Entries of a secret as files of a projected volume.',
    items,
    optional,
  },
  SecretVolumeSource: {
    '': 'Entries of a secret as files, kept in the memory of the node.',
    secretName: 'Name of the secret, in the namespace of the pod.',
    items,
    defaultMode,
    optional,
  },
  ServiceAccountTokenProjection: {
    '': 'A token of the service account of the pod, renewed by the kubelet.',
    audience: 'Intended audience of the token. Default: the API server.',
    expirationSeconds:
      'Requested lifetime in seconds, at least 600. Default 3600. The kubelet renews it before it ends.',
    path: 'Path of the file within the volume.',
  },
  StorageOSPersistentVolumeSource: { '': 'A StorageOS volume for a persistent volume.', ...storageOs },
  StorageOSVolumeSource: { '': 'A StorageOS volume for a pod.', ...storageOs },
  Volume: {
    '': 'A volume of a pod. Containers mount it by its name.',
    name: 'Name of the volume, unique in the pod. A DNS label.',
  },
  VolumeDevice: {
    '': 'A volume as a raw block device of a container.',
    name: 'Name of the volume, which must be a claim.',
    devicePath: 'Path of the device in the container.',
  },
  VolumeMount: {
    '': 'A volume in the file system of a container.',
    name: 'Name of the volume.',
    readOnly,
    recursiveReadOnly:
      'Whether mounts below a read-only mount are read-only too: Disabled, IfPossible or Enabled. Only with ' +
      '`readOnly`. Default Disabled.',
    mountPath: 'Where the volume appears in the container. Must not contain `:`.',
    subPath: 'Path within the volume that is mounted instead of its root.',
    mountPropagation:
      'Whether later mounts are passed on: None, HostToContainer or Bidirectional. Default None. Bidirectional needs ' +
      'a privileged container.',
    subPathExpr: 'Like `subPath`, with `$(NAME)` replaced by environment variables. The two exclude each other.',
  },
  VolumeMountStatus: {
    '': 'A mounted volume.',
    name: 'Name of the volume.',
    mountPath: 'Where it appears in the container.',
    readOnly: 'Whether it is mounted read-only.',
    recursiveReadOnly: 'Disabled or Enabled, depending on what was possible. Only for read-only mounts.',
    volumeStatus: 'State of the volume behind the mount.',
  },
  VolumeProjection: {
    '': 'A source of a projected volume. Exactly one field is set.',
    secret: 'Entries of a secret.',
    downwardAPI: 'Values of the pod.',
    configMap: 'Entries of a config map.',
    serviceAccountToken: 'A token of the service account of the pod.',
    clusterTrustBundle: 'Certificates of trust bundles.',
    podCertificate: 'A key and a certificate for the pod.',
  },
  VolumeSource: {
    '': 'Where the data of a volume comes from. At most one field is set; without any it is an emptyDir.',
    ...sharedSources,
    emptyDir: 'A directory that lives as long as the pod.',
    gitRepo: 'Deprecated; no longer supported by nodes. A checkout of a Git repository.',
    secret: 'Entries of a secret.',
    persistentVolumeClaim: 'The volume of a claim in the namespace of the pod.',
    downwardAPI: 'Values of the pod.',
    configMap: 'Entries of a config map.',
    projected: 'Files from several sources.',
    csi: 'An ephemeral volume of a CSI driver.',
    ephemeral: 'A volume from a claim that lives as long as the pod.',
    image: 'The content of an image or artifact.',
  },
  VolumeStatus: {
    '': 'State of a volume. At most one field is set.',
    image: 'State of an image volume.',
  },
  VsphereVirtualDiskVolumeSource: {
    '': 'A disk of vSphere.',
    volumePath: 'Path of the disk.',
    fsType,
    storagePolicyName: 'Name of the storage policy.',
    storagePolicyID: 'ID of the storage policy.',
  },
};
