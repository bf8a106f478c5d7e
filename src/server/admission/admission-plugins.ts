import {
  type AdmissionMetrics,
  type AdmissionPlugin,
  alwaysAdmit,
  alwaysDeny,
  alwaysPullImages,
  type CreateNamespace,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  denyServiceExternalIps,
  eventRateLimit,
  extendedResourceToleration,
  type ImagePolicyOptions,
  imagePolicyWebhook,
  jobValidation,
  type KindFinder,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  mutatingAdmissionPolicy,
  mutatingAdmissionWebhook,
  namespaceAutoProvision,
  namespaceExists,
  namespaceLifecycle,
  nodeDeclaredFeatureValidator,
  nodeRestriction,
  type ObjectUpdater,
  ownerReferencesPermission,
  persistentVolumeClaimResize,
  podCertificateSigning,
  podGroupProtection,
  podGroupWorkloadExists,
  podNodeSelector,
  podResizeValidator,
  podSecurity,
  podTolerationRestriction,
  podTopologyLabels,
  priority,
  resourceQuota,
  roleEscalation,
  runtimeClass,
  serviceAccount,
  storageObjectInUseProtection,
  type TypesOfKind,
  taintNodesByCondition,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
} from '../../admission/index.ts';
import type { Authorizer } from '../../authz/index.ts';
import type { RbacRules } from '../../authz/rbac/index.ts';
import type { ReadFileSync } from '../../client/index.ts';
import type { IdentitySource } from '../../meta/identity-source.ts';
import type { Meter } from '../../meta/meter.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { requestedIdentity } from '../../pki/index.ts';
import { requestedOrganizations } from '../../resources/index.ts';
import type { Permissions } from '../identity/index.ts';
import type { AdmissionConfiguration } from './admission-configuration.ts';
import { admissionWebhookClients } from './admission-webhook-clients.ts';
import { type EnabledPlugins, type PluginName, pluginOrder } from './enabled-plugins.ts';

export interface PluginDependencies {
  /** The objects of the server. */
  readonly objects: ObjectReader & ObjectUpdater & KindFinder;
  readonly permissions: Pick<Permissions, 'nodes'> & { readonly modes: Authorizer; readonly rbac: RbacRules };
  readonly enabled: EnabledPlugins;
  /** Abort it to end the calls of webhooks. */
  readonly stopCalls: AbortSignal;
  readonly configuration: AdmissionConfiguration;
  readonly createNamespace: CreateNamespace;
  readonly typesOf: TypesOfKind;
  /** Undefined when the plugin is off. */
  readonly imagePolicy: ImagePolicyOptions | undefined;
  readonly metrics?: AdmissionMetrics | undefined;
  /** Counts calls of webhooks. */
  readonly meter?: Meter | undefined;
  /** Reads the kubeconfigs of webhooks. */
  readonly read?: ReadFileSync | undefined;
  readonly identity?: IdentitySource;
}

type PluginFactory = (dependencies: PluginDependencies) => AdmissionPlugin | undefined;

/** Undefined results are skipped. */
const factories: Readonly<Record<PluginName, PluginFactory>> = {
  AlwaysAdmit: () => alwaysAdmit,
  NamespaceAutoProvision: ({ createNamespace }) => namespaceAutoProvision(createNamespace),
  NamespaceLifecycle: () => namespaceLifecycle,
  NamespaceExists: () => namespaceExists,
  LimitPodHardAntiAffinityTopology: () => limitPodHardAntiAffinityTopology,
  LimitRanger: () => limitRanger,
  ServiceAccount: ({ identity }) => serviceAccount({ identity }),
  NodeRestriction: ({ permissions: { modes: authorizer, nodes }, enabled }) => {
    if (enabled.isRequested('NodeRestriction')) return nodeRestriction({ authorizer, commonNameOf, isOn: () => true });
    return nodes.mayBeAuthorized ? nodeRestriction({ authorizer, commonNameOf, isOn: nodes.areAuthorized }) : undefined;
  },
  TaintNodesByCondition: () => taintNodesByCondition,
  AlwaysPullImages: () => alwaysPullImages,
  ImagePolicyWebhook: ({ imagePolicy }) => imagePolicy && imagePolicyWebhook(imagePolicy),
  PodSecurity: ({ configuration }) => podSecurity(configuration.PodSecurity!),
  PodNodeSelector: ({ configuration }) => podNodeSelector(configuration.PodNodeSelector!),
  Priority: () => priority,
  DefaultTolerationSeconds: () => defaultTolerationSeconds,
  PodTolerationRestriction: ({ configuration }) => podTolerationRestriction(configuration.PodTolerationRestriction!),
  EventRateLimit: ({ configuration }) => eventRateLimit(configuration.EventRateLimit!),
  ExtendedResourceToleration: () => extendedResourceToleration,
  DefaultStorageClass: () => defaultStorageClass,
  StorageObjectInUseProtection: () => storageObjectInUseProtection,
  PodGroupProtection: () => podGroupProtection,
  OwnerReferencesPermissionEnforcement: ({ permissions, typesOf }) =>
    ownerReferencesPermission({ authorizer: permissions.modes, typesOf }),
  PersistentVolumeClaimResize: () => persistentVolumeClaimResize,
  RuntimeClass: () => runtimeClass,
  CertificateApproval: ({ permissions }) => certificateApproval(permissions.modes),
  CertificateSigning: ({ permissions }) => certificateSigning(permissions.modes),
  ClusterTrustBundleAttest: ({ permissions }) => clusterTrustBundleAttest(permissions.modes),
  CertificateSubjectRestriction: () => certificateSubjectRestriction(requestedOrganizations),
  DefaultIngressClass: () => defaultIngressClass,
  DenyServiceExternalIPs: () => denyServiceExternalIps,
  PodTopologyLabels: () => podTopologyLabels,
  PodGroupWorkloadExists: () => podGroupWorkloadExists,
  NodeDeclaredFeatureValidator: () => nodeDeclaredFeatureValidator,
  JobValidation: ({ typesOf }) => jobValidation(typesOf),
  PodResizeValidator: () => podResizeValidator,
  MutatingAdmissionPolicy: ({ objects, permissions, metrics }) =>
    mutatingAdmissionPolicy({ authorizer: permissions.modes, kinds: objects, metrics }),
  MutatingAdmissionWebhook: (dependencies) =>
    mutatingAdmissionWebhook(webhooks(dependencies, 'MutatingAdmissionWebhook')),
  ValidatingAdmissionPolicy: ({ objects, permissions, metrics }) =>
    validatingAdmissionPolicy({ authorizer: permissions.modes, kinds: objects, metrics }),
  ValidatingAdmissionWebhook: (dependencies) =>
    validatingAdmissionWebhook(webhooks(dependencies, 'ValidatingAdmissionWebhook')),
  ResourceQuota: ({ objects, configuration }) => resourceQuota(objects, configuration.ResourceQuota),
  AlwaysDeny: () => alwaysDeny,
};

/** The enabled plugins in order. */
export function admissionPlugins(dependencies: PluginDependencies): AdmissionPlugin[] {
  const { enabled, permissions } = dependencies;
  const named = pluginOrder
    .filter((name) => enabled.has(name))
    .map((name) => factories[name](dependencies))
    .filter((plugin) => plugin !== undefined);
  const { modes: authorizer, rbac } = permissions;
  // These are not plugins in kube-apiserver, which makes these checks while it stores objects. They therefore cannot be
  // disabled, and run after all others.
  return [...named, podCertificateSigning(authorizer), roleEscalation({ authorizer, rbac })];
}

function webhooks(
  { objects, permissions, configuration, metrics, meter, read, stopCalls: stop }: PluginDependencies,
  name: 'MutatingAdmissionWebhook' | 'ValidatingAdmissionWebhook',
) {
  const clients = admissionWebhookClients(configuration[name] ?? {}, { objects, meter, read, stop });
  return { clients, authorizer: permissions.modes, metrics };
}

function commonNameOf(request: string): string {
  return requestedIdentity(request).commonName;
}
