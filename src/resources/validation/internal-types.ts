// Differences between kube-apiserver's internal types and the served types, as far as error messages show them.

/** The field order of an internal type. Fields that are not listed follow in schema order. */
export interface NamedOrder {
  readonly first: readonly string[];
  /** The fields that the internal type does not have. */
  readonly without?: readonly string[];
}

export function internalOrder(type: string): NamedOrder | undefined {
  return orders[type];
}

/** Returns whether a field is a pointer in the served type but a value in the internal type. */
export function isHeldByValue(type: string, field: string): boolean {
  return values[type]?.includes(field) ?? false;
}

export function internalName(type: string, field: string): string {
  return namesByType[type]?.[field] ?? names[field] ?? goName(field);
}

const goNames = new Map<string, string>();

/** Cached, because a message may show a large schema, and the fields of the types are few. */
function goName(field: string): string {
  const name = goNames.get(field) ?? makeGoName(field);
  goNames.set(field, name);
  return name;
}

/** `x-kubernetes-list-type` is `XListType`, `$ref` is `Ref`. */
function makeGoName(field: string): string {
  return field
    .replace(/^\$/, '')
    .replace(/^x-kubernetes/, 'x')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^./, (letter) => letter.toUpperCase());
}

const values: Readonly<Record<string, readonly string[]>> = {
  'apps/v1.RollingUpdateDaemonSet': ['maxUnavailable', 'maxSurge'],
  'apps/v1.RollingUpdateDeployment': ['maxUnavailable', 'maxSurge'],
  'apps/v1.RollingUpdateStatefulSetStrategy': ['partition'],
  'core/v1.ServiceAccountTokenProjection': ['expirationSeconds'],
};

const orders: Readonly<Record<string, NamedOrder>> = {
  'apiextensions/v1.JSONSchemaProps': { first: ['id', '$schema', '$ref', 'description', 'type', 'nullable'] },
  'core/v1.PodSpec': {
    first: [
      ...['volumes', 'initContainers', 'containers', 'ephemeralContainers', 'restartPolicy'],
      ...['terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'dnsPolicy', 'nodeSelector', 'serviceAccountName'],
      ...['automountServiceAccountToken', 'nodeName', 'securityContext', 'imagePullSecrets', 'hostname', 'subdomain'],
      ...['setHostnameAsFQDN', 'affinity', 'schedulerName', 'tolerations', 'hostAliases', 'priorityClassName'],
      ...['priority', 'preemptionPolicy', 'dnsConfig', 'readinessGates', 'runtimeClassName', 'overhead'],
      ...['enableServiceLinks', 'topologySpreadConstraints', 'os', 'schedulingGates', 'resourceClaims', 'resources'],
    ],
    without: ['serviceAccount', 'hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'],
  },
  'core/v1.PodSecurityContext': {
    first: [
      ...['seLinuxOptions', 'windowsOptions', 'runAsUser', 'runAsGroup', 'runAsNonRoot', 'supplementalGroups'],
      ...['supplementalGroupsPolicy', 'fsGroup', 'fsGroupChangePolicy', 'sysctls', 'seccompProfile', 'appArmorProfile'],
      'seLinuxChangePolicy',
    ],
  },
  'core/v1.PersistentVolumeSource': {
    first: [
      ...['gcePersistentDisk', 'awsElasticBlockStore', 'hostPath', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi'],
      ...['flexVolume', 'cinder', 'cephfs', 'fc', 'flocker', 'azureFile', 'vsphereVolume', 'azureDisk'],
    ],
  },
  'core/v1.VolumeSource': {
    first: [
      ...['hostPath', 'emptyDir', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'secret', 'nfs', 'iscsi'],
      ...['glusterfs', 'persistentVolumeClaim', 'rbd', 'quobyte', 'flexVolume', 'cinder', 'cephfs', 'flocker'],
      ...['downwardAPI', 'fc', 'azureFile', 'configMap', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'],
      ...['projected', 'portworxVolume', 'scaleIO', 'storageos', 'csi', 'ephemeral', 'image'],
    ],
  },
};

/** Go names that differ from the JSON names in more than the first letter. */
const names: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiGroups: 'APIGroups',
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cel: 'CEL',
  cephfs: 'CephFS',
  cidrs: 'CIDRs',
  csi: 'CSI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  fc: 'FC',
  fsGroup: 'FSGroup',
  fsGroupChangePolicy: 'FSGroupChangePolicy',
  fsType: 'FSType',
  gcePersistentDisk: 'GCEPersistentDisk',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  grpc: 'GRPC',
  httpGet: 'HTTPGet',
  httpHeaders: 'HTTPHeaders',
  id: 'ID',
  ip: 'IP',
  iqn: 'IQN',
  iscsi: 'ISCSI',
  iscsiInterface: 'ISCSIInterface',
  jsonPath: 'JSONPath',
  nfs: 'NFS',
  os: 'OS',
  pdName: 'PDName',
  rbd: 'RBD',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
  sslEnabled: 'SSLEnabled',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  ttlSecondsAfterFinished: 'TTLSecondsAfterFinished',
  tty: 'TTY',
  uid: 'UID',
  url: 'URL',
  wwids: 'WWIDs',
};

const glusterfs = { endpoints: 'EndpointsName' };
const iscsi = { chapAuthDiscovery: 'DiscoveryCHAPAuth', chapAuthSession: 'SessionCHAPAuth' };
const rbd = { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' };

/** Go names that apply to one type only. */
const namesByType: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core/v1.AzureDiskVolumeSource': { diskURI: 'DataDiskURI' },
  'core/v1.GlusterfsPersistentVolumeSource': glusterfs,
  'core/v1.GlusterfsVolumeSource': glusterfs,
  'core/v1.ISCSIPersistentVolumeSource': iscsi,
  'core/v1.ISCSIVolumeSource': iscsi,
  'core/v1.RBDPersistentVolumeSource': rbd,
  'core/v1.RBDVolumeSource': rbd,
  'resource/v1.DeviceAttribute': {
    ...{ int: 'IntValue', bool: 'BoolValue', string: 'StringValue', version: 'VersionValue' },
    ...{ ints: 'IntValues', bools: 'BoolValues', strings: 'StringValues', versions: 'VersionValues' },
  },
};
