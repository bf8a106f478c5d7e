const context = {
  privileged: true,
  runAsNonRoot: false,
  runAsUser: 0,
  procMount: 'Unmasked',
  capabilities: { add: ['SYS_ADMIN'], drop: ['ALL'] },
  seccompProfile: { type: 'Unconfined' },
  seLinuxOptions: { type: 't', user: 'u' },
  appArmorProfile: { type: 'Unconfined' },
  windowsOptions: { hostProcess: true },
};
const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };
const handler = { httpGet: { host: 'h', port: 80 } };
const container = {
  name: 'c',
  image: 'i',
  ports: [{ containerPort: 80, hostPort: 80 }],
  env: [{ name: 'e', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
  envFrom: [{ configMapRef: { name: 'm' } }],
  resources,
  livenessProbe: handler,
  lifecycle: { postStart: handler, preStop: handler },
  securityContext: context,
};
const affinityTerm = { topologyKey: 'k', namespaces: ['other'], namespaceSelector: {} };
const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: [affinityTerm],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: affinityTerm }],
};
const podSpec = {
  nodeName: 'n1',
  containers: [container],
  initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always', resources }],
  ephemeralContainers: [{ name: 'e', image: 'i' }],
  volumes: [
    { name: 'a', hostPath: { path: '/' } },
    { name: 'b', projected: { sources: [{ serviceAccountToken: { path: 'p' } }, { downwardAPI: {} }] } },
  ],
  securityContext: { seccompProfile: { type: 'Unconfined' }, sysctls: [{ name: 'x', value: 'y' }] },
  hostNetwork: true,
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }],
  nodeSelector: { a: 'b' },
  runtimeClassName: 'one',
  overhead: { cpu: '1' },
  priorityClassName: 'one',
  activeDeadlineSeconds: 5,
  affinity: { podAffinity },
  resources,
  resourceClaims: [{ name: 'r', resourceClaimName: 'r' }],
};
const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u', controller: true };
const mirror = { 'kubernetes.io/config.mirror': 'x', 'container.apparmor.security.beta.kubernetes.io/c': 'x' };
/** A small pod template for workloads. The tests only need it to be where each kind has its template. */
const template = { metadata: { annotations: mirror }, spec: { containers: [{ name: 'c', securityContext: context }] } };
const workload = { metadata: {}, spec: { selector: { matchLabels: { a: 'b' } }, template } };
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
const subjects = [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }];

/** Objects that set every field that an admission plugin reads, by kind. */
export const completeObjects: Readonly<Record<string, object>> = {
  Pod: {
    metadata: { annotations: mirror, labels: { a: 'b' }, ownerReferences: [owner], finalizers: ['a/b'] },
    spec: podSpec,
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      resourceClaimStatuses: [{ name: 'r', resourceClaimName: 'r' }],
      extendedResourceClaimStatus: { resourceClaimName: 'x', requestMappings: [] },
    },
  },
  PodTemplate: { metadata: {}, template },
  ReplicationController: { metadata: {}, spec: { selector: { a: 'b' }, template } },
  Deployment: workload,
  DaemonSet: workload,
  ReplicaSet: workload,
  StatefulSet: workload,
  Job: workload,
  CronJob: { metadata: {}, spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } },
  Namespace: {
    metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    spec: { finalizers: ['a'] },
  },
  Service: {
    metadata: {},
    spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 1, nodePort: 30_000 }] },
  },
  PersistentVolumeClaim: {
    metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'one' } },
    spec: {
      storageClassName: 'one',
      volumeAttributesClassName: 'fast',
      resources: { requests: { storage: '1Gi' }, limits: { storage: '1Gi' } },
    },
    status: {
      allocatedResources: { storage: '2Gi' },
      currentVolumeAttributesClassName: 'slow',
      modifyVolumeStatus: { status: 'Pending', targetVolumeAttributesClassName: 'fast' },
      conditions: [{ type: 'Resizing', status: 'True' }],
    },
  },
  Node: {
    metadata: { labels: { 'node-restriction.kubernetes.io/a': 'b' } },
    spec: { taints: [{ key: 'a', effect: 'NoSchedule' }], configSource: { configMap: { name: 'a' } } },
  },
  Ingress: { metadata: { annotations: { 'kubernetes.io/ingress.class': 'one' } }, spec: { ingressClassName: 'one' } },
  CertificateSigningRequest: {
    metadata: {},
    spec: { request: 'eA==', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['any'] },
    status: { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'eA==' },
  },
  ClusterRole: {
    metadata: {},
    rules: [rule],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  },
  Role: { metadata: {}, rules: [rule] },
  ClusterRoleBinding: { metadata: {}, subjects, roleRef },
  RoleBinding: { metadata: {}, subjects, roleRef },
  TokenRequest: {
    metadata: {},
    spec: { audiences: ['a'], boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'one', uid: 'u' } },
  },
};
