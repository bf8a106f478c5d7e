import type { Field, Schema, StructSchema } from '../../schema/model.ts';

/**
 * kube-apiserver shows structs in messages as it holds them in memory: with Go's names of the fields, empty ones included.
 * Types of the group meta look there as they do in JSON.
 */
export function internalForm(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'scalar':
      return value ?? zeros[schema.kind] ?? null;
    case 'list':
      return Array.isArray(value) ? value.map((item) => internalForm(schema.items, item)) : null;
    case 'map':
      return mapForm(schema.values, value);
    case 'struct':
      return schema.name.startsWith('meta/') ? (value ?? {}) : structForm(schema, (value ?? {}) as Values);
  }
}

type Values = Readonly<Record<string, unknown>>;

const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  float64: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
};

function mapForm(values: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, internalForm(values, item)]));
}

function structForm(schema: StructSchema, value: Values): Values {
  const form: Record<string, unknown> = {};
  for (const field of inOrder(schema)) addField(form, field, value);
  return form;
}

function addField(form: Record<string, unknown>, field: Field, value: Values): void {
  const { name, schema } = field;
  const own = value[name];
  if (schema.type === 'struct' && schema.name === 'meta/v1.ObjectMeta') Object.assign(form, own);
  else if (field.inline && schema.type === 'struct') Object.assign(form, structForm(schema, value));
  else if (name === 'securityContext' && schema.type === 'struct' && schema.name.endsWith('.PodSecurityContext')) {
    form.SecurityContext = own === undefined ? null : { ...hostForm(value), ...structForm(schema, own as Values) };
  } else form[goName(name)] = own === undefined && field.pointer ? null : internalForm(schema, own);
}

/** Where pods name the namespaces of their host, the type in memory has moved them to the security context. */
function hostForm(spec: Values): Values {
  return {
    HostNetwork: spec.hostNetwork ?? false,
    HostPID: spec.hostPID ?? false,
    HostIPC: spec.hostIPC ?? false,
    ShareProcessNamespace: spec.shareProcessNamespace ?? null,
    HostUsers: spec.hostUsers ?? null,
  };
}

/** The types whose fields are in another order in memory, or are missing there; the rest follow in the schema's order. */
const orders: Readonly<Record<string, { readonly fields: readonly string[]; readonly without?: readonly string[] }>> = {
  'core/v1.PodSpec': {
    fields: [
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
    fields: [
      ...['seLinuxOptions', 'windowsOptions', 'runAsUser', 'runAsGroup', 'runAsNonRoot', 'supplementalGroups'],
      ...['supplementalGroupsPolicy', 'fsGroup', 'fsGroupChangePolicy', 'sysctls', 'seccompProfile', 'appArmorProfile'],
      'seLinuxChangePolicy',
    ],
  },
  'core/v1.VolumeSource': {
    fields: [
      ...['hostPath', 'emptyDir', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'secret', 'nfs', 'iscsi'],
      ...['glusterfs', 'persistentVolumeClaim', 'rbd', 'quobyte', 'flexVolume', 'cinder', 'cephfs', 'flocker'],
      ...['downwardAPI', 'fc', 'azureFile', 'configMap', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'],
      ...['projected', 'portworxVolume', 'scaleIO', 'storageos', 'csi', 'ephemeral', 'image'],
    ],
  },
};

const ordered = new WeakMap<StructSchema, readonly Field[]>();

function inOrder(schema: StructSchema): readonly Field[] {
  const order = orders[schema.name];
  if (order === undefined) return schema.fields;
  let fields = ordered.get(schema);
  if (fields === undefined) {
    const kept = schema.fields.filter(({ name }) => !order.without?.includes(name));
    const position = ({ name }: Field) => (order.fields.includes(name) ? order.fields.indexOf(name) : kept.length);
    fields = kept.toSorted((left, right) => position(left) - position(right));
    ordered.set(schema, fields);
  }
  return fields;
}

/** Names in which more than the first letter differs. */
const specialNames: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiGroups: 'APIGroups',
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  azureDisk: 'AzureDisk',
  cephfs: 'CephFS',
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
  ip: 'IP',
  iqn: 'IQN',
  iscsi: 'ISCSI',
  nfs: 'NFS',
  os: 'OS',
  pdName: 'PDName',
  rbd: 'RBD',
  scaleIO: 'ScaleIO',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tty: 'TTY',
  ttlSecondsAfterFinished: 'TTLSecondsAfterFinished',
  uid: 'UID',
};

function goName(name: string): string {
  return specialNames[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}
