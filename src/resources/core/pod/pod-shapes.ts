import type { ResourceList } from '../resource-list.ts';

// The fields of pods that the rules read. For fields that are not pointers in Go, absent and zero are the same.

export interface ResourceRequirements {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: ResourceClaim[];
}

export interface ResourceClaim {
  name?: string;
  request?: string;
}

export interface NamedReference {
  name?: string;
}

export interface FieldRef {
  apiVersion?: string;
  fieldPath?: string;
}

export interface ResourceFieldRef {
  containerName?: string;
  resource?: string;
  divisor?: string;
}

export interface KeyRef extends NamedReference {
  key?: string;
  optional?: boolean;
}

export interface FileKeyRef {
  volumeName?: string;
  path?: string;
  key?: string;
  optional?: boolean;
}

export interface EnvVarSource {
  fieldRef?: FieldRef;
  resourceFieldRef?: ResourceFieldRef;
  configMapKeyRef?: KeyRef;
  secretKeyRef?: KeyRef;
  fileKeyRef?: FileKeyRef;
}

export interface EnvVar {
  name?: string;
  value?: string;
  valueFrom?: EnvVarSource;
}

export interface EnvFromSource {
  prefix?: string;
  configMapRef?: NamedReference;
  secretRef?: NamedReference;
}

export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort?: number;
  protocol?: string;
  hostIP?: string;
}

export interface VolumeMount {
  name?: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath?: string;
  subPath?: string;
  mountPropagation?: string;
  subPathExpr?: string;
}

export interface VolumeDevice {
  name?: string;
  devicePath?: string;
}

export interface HttpGet {
  path?: string;
  port?: number | string;
  host?: string;
  scheme?: string;
  httpHeaders?: { name?: string; value?: string }[];
}

export interface Handler {
  exec?: { command?: string[] };
  httpGet?: HttpGet;
  tcpSocket?: { port?: number | string; host?: string };
  grpc?: { port?: number; service?: string | null };
  sleep?: { seconds?: number };
}

export interface Probe extends Handler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

export interface Lifecycle {
  postStart?: Handler;
  preStop?: Handler;
  stopSignal?: string;
}

export interface RestartRule {
  action?: string;
  exitCodes?: { operator?: string; values?: number[] };
}

export interface Container {
  name?: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: { resourceName?: string; restartPolicy?: string }[];
  restartPolicy?: string;
  restartPolicyRules?: RestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  /** Only in ephemeral containers. */
  targetContainerName?: string;
}

export interface LocalProfile {
  type?: string;
  localhostProfile?: string;
}

export interface WindowsOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

interface SharedSecurityContext {
  seLinuxOptions?: object;
  windowsOptions?: WindowsOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  seccompProfile?: LocalProfile;
  appArmorProfile?: LocalProfile;
}

export interface SecurityContext extends SharedSecurityContext {
  capabilities?: { add?: string[]; drop?: string[] };
  privileged?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
}

export interface PodSecurityContext extends SharedSecurityContext {
  supplementalGroups?: number[];
  supplementalGroupsPolicy?: string;
  fsGroup?: number;
  sysctls?: { name?: string; value?: string }[];
  fsGroupChangePolicy?: string;
  seLinuxChangePolicy?: string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[];
}

export interface NodeSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey?: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; podAffinityTerm?: PodAffinityTerm }[];
}

export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] };
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; preference?: NodeSelectorTerm }[];
}

export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface TopologySpreadConstraint {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

export interface KeyToPath {
  key?: string;
  path?: string;
  mode?: number;
}

export interface DownwardFile {
  path?: string;
  fieldRef?: FieldRef;
  resourceFieldRef?: ResourceFieldRef;
  mode?: number;
}

export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: LabelSelector;
  path?: string;
}

export interface PodCertificateProjection {
  signerName?: string;
  keyType?: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
}

export interface VolumeProjection {
  secret?: NamedReference & { items?: KeyToPath[] };
  downwardAPI?: { items?: DownwardFile[] };
  configMap?: NamedReference & { items?: KeyToPath[] };
  serviceAccountToken?: { audience?: string; expirationSeconds?: number; path?: string };
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}

export interface ProjectedVolume {
  sources?: VolumeProjection[] | null;
  defaultMode?: number;
}

export interface ClaimTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string>; [field: string]: unknown };
  spec?: Record<string, unknown> & { volumeMode?: string; resources?: ResourceRequirements };
}

export interface Volume {
  name?: string;
  hostPath?: { path?: string; type?: string };
  emptyDir?: { medium?: string; sizeLimit?: string };
  gcePersistentDisk?: { pdName?: string; partition?: number };
  awsElasticBlockStore?: { volumeID?: string; partition?: number };
  gitRepo?: { repository?: string; revision?: string; directory?: string };
  secret?: { secretName?: string; items?: KeyToPath[]; defaultMode?: number };
  nfs?: { server?: string; path?: string };
  iscsi?: Iscsi;
  glusterfs?: { endpoints?: string; path?: string };
  persistentVolumeClaim?: { claimName?: string };
  rbd?: { monitors?: string[] | null; image?: string };
  flexVolume?: { driver?: string; options?: Record<string, string> };
  cinder?: { volumeID?: string; secretRef?: NamedReference };
  cephfs?: { monitors?: string[] | null };
  flocker?: { datasetName?: string; datasetUUID?: string };
  downwardAPI?: { items?: DownwardFile[]; defaultMode?: number };
  fc?: { targetWWNs?: string[]; lun?: number; wwids?: string[] };
  azureFile?: { secretName?: string; shareName?: string };
  configMap?: NamedReference & { items?: KeyToPath[]; defaultMode?: number };
  vsphereVolume?: { volumePath?: string };
  quobyte?: { registry?: string; volume?: string; tenant?: string };
  azureDisk?: { diskName?: string; diskURI?: string; cachingMode?: string; kind?: string };
  photonPersistentDisk?: { pdID?: string };
  projected?: ProjectedVolume;
  portworxVolume?: { volumeID?: string };
  scaleIO?: { gateway?: string; system?: string; volumeName?: string; secretRef?: NamedReference | null };
  storageos?: { volumeName?: string; volumeNamespace?: string; secretRef?: NamedReference };
  csi?: { driver?: string; nodePublishSecretRef?: NamedReference };
  ephemeral?: { volumeClaimTemplate?: ClaimTemplate };
  image?: { reference?: string; pullPolicy?: string };
}

export interface Iscsi {
  targetPortal?: string;
  iqn?: string;
  lun?: number;
  initiatorName?: string;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: NamedReference;
}

export interface DnsConfig {
  nameservers?: string[];
  searches?: string[];
  options?: { name?: string; value?: string }[];
}

export interface PodResourceClaim {
  name?: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers?: Container[] | null;
  ephemeralContainers?: Container[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: NamedReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: { ip?: string; hostnames?: string[] }[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: DnsConfig;
  readinessGates?: { conditionType?: string }[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  overhead?: ResourceList;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: { name?: string };
  hostUsers?: boolean;
  schedulingGates?: { name?: string }[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: { podGroupName?: string };
}

export interface PodTemplate {
  metadata?: { name?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: PodSpec;
}
