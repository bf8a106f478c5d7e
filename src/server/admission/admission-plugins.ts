import {
  type AdmissionPlugin,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  type KindFinder,
  limitRanger,
  mutatingAdmissionWebhook,
  namespaceLifecycle,
  nodeRestriction,
  type ObjectUpdater,
  persistentVolumeClaimResize,
  podCertificateSigning,
  podSecurity,
  priority,
  resourceQuota,
  roleEscalation,
  runtimeClass,
  storageObjectInUseProtection,
  taintNodesByCondition,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
} from '../../admission/index.ts';
import type { Authorizer } from '../../authz/index.ts';
import type { RbacRules } from '../../authz/rbac/index.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { requestedIdentity } from '../../pki/index.ts';
import { requestedOrganizations } from '../../resources/index.ts';
import type { Permissions } from '../identity/index.ts';
import { admissionWebhookClients, type WebhookConfiguration } from './admission-webhook-clients.ts';
import { type EnabledPlugins, type PluginName, pluginOrder } from './enabled-plugins.ts';

export interface PluginDependencies {
  /** The objects of the server. */
  readonly objects: ObjectReader & ObjectUpdater & KindFinder;
  readonly permissions: Pick<Permissions, 'nodes'> & { readonly modes: Authorizer; readonly rbac: RbacRules };
  readonly enabled: EnabledPlugins;
  /** Ends connections. */
  readonly signal: AbortSignal;
}

type PluginFactory = (dependencies: PluginDependencies) => AdmissionPlugin | undefined;

/** Undefined results are left out. */
const factories: Readonly<Record<PluginName, PluginFactory>> = {
  NamespaceLifecycle: () => namespaceLifecycle,
  LimitRanger: () => limitRanger,
  NodeRestriction: ({ permissions: { modes: authorizer, nodes }, enabled }) => {
    if (enabled.isRequested('NodeRestriction')) return nodeRestriction({ authorizer, commonNameOf, isOn: () => true });
    return nodes.mayBeAuthorized ? nodeRestriction({ authorizer, commonNameOf, isOn: nodes.areAuthorized }) : undefined;
  },
  TaintNodesByCondition: () => taintNodesByCondition,
  PodSecurity: () => podSecurity,
  Priority: () => priority,
  DefaultTolerationSeconds: () => defaultTolerationSeconds,
  DefaultStorageClass: () => defaultStorageClass,
  StorageObjectInUseProtection: () => storageObjectInUseProtection,
  PersistentVolumeClaimResize: () => persistentVolumeClaimResize,
  RuntimeClass: () => runtimeClass,
  CertificateApproval: ({ permissions }) => certificateApproval(permissions.modes),
  CertificateSigning: ({ permissions }) => certificateSigning(permissions.modes),
  ClusterTrustBundleAttest: ({ permissions }) => clusterTrustBundleAttest(permissions.modes),
  CertificateSubjectRestriction: () => certificateSubjectRestriction(requestedOrganizations),
  DefaultIngressClass: () => defaultIngressClass,
  MutatingAdmissionWebhook: (dependencies) => mutatingAdmissionWebhook(webhooks(dependencies, {})),
  ValidatingAdmissionPolicy: ({ objects, permissions }) =>
    validatingAdmissionPolicy({ authorizer: permissions.modes, kinds: objects }),
  ValidatingAdmissionWebhook: (dependencies) => validatingAdmissionWebhook(webhooks(dependencies, {})),
  ResourceQuota: ({ objects }) => resourceQuota(objects),
};

/** The enabled plugins in order. */
export function admissionPlugins(dependencies: PluginDependencies): AdmissionPlugin[] {
  const { enabled, permissions } = dependencies;
  const named = pluginOrder
    .filter((name) => enabled.has(name))
    .map((name) => factories[name](dependencies))
    .filter((plugin) => plugin !== undefined);
  const { modes: authorizer, rbac } = permissions;
  // No plugins in kube-apiserver, which checks these while it stores the objects. So they cannot be disabled, and see
  // the result of all others.
  return [...named, podCertificateSigning(authorizer), roleEscalation({ authorizer, rbac })];
}

function webhooks({ objects, permissions, signal }: PluginDependencies, configuration: WebhookConfiguration) {
  return { clients: admissionWebhookClients(objects, configuration, signal), authorizer: permissions.modes };
}

function commonNameOf(request: string): string {
  return requestedIdentity(request).commonName;
}
